#include "labels/label_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace pollard {

LabelRuns LabelRuns::of(std::span<const std::uint32_t> labels, const Extent& extent) {
    LabelRuns stored{extent.width, extent.height, extent.slices, {}};
    for (std::size_t at = 0; at < labels.size();) {
        std::size_t end = at + 1;
        while (end < labels.size() && labels[end] == labels[at] &&
               end - at < std::numeric_limits<std::uint32_t>::max()) {
            ++end;
        }
        stored.runs.push_back(labels[at]);
        stored.runs.push_back(static_cast<std::uint32_t>(end - at));
        at = end;
    }
    return stored;
}

bool LabelRuns::areComplete() const noexcept {
    std::uint64_t pixels = 0;
    for (std::size_t i = 1; i < runs.size(); i += 2) {
        pixels += runs[i];
    }
    const std::uint64_t rows = std::uint64_t{height} * slices;
    return runs.size() % 2 == 0 && width != 0 && rows <= Image::kMaxPixels / width && pixels == rows * width;
}

Buffer<std::uint32_t> LabelRuns::numbers() const {
    Buffer<std::uint32_t> numbers(extent().pixelCount());
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
        std::ranges::fill(numbers.span().subspan(at, runs[i + 1]), runs[i]);
        at += runs[i + 1];
    }
    return numbers;
}

} // namespace pollard
