#include "io/valid_levels.hpp"

#include "image/mask_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace pollard {

namespace {

struct LevelRange {
    std::uint16_t smallest = 0xffff;
    std::uint16_t largest = 0;
};

/// Of the valid pixels; that of no pixel if there is none.
LevelRange rangeOf(const LoadedImage& loaded) {
    const Image& image = *loaded.image;
    const auto joined = [](LevelRange a, const LevelRange& b) {
        return LevelRange{std::min(a.smallest, b.smallest), std::max(a.largest, b.largest)};
    };
    constexpr std::uint32_t kRows = 64;
    return dispatch(image.type(), [&]<class Pixel>(Pixel) {
        const Pixel* pixels = image.pixels<Pixel>().data();
        return tbb::parallel_reduce(
            tbb::blocked_range<std::uint32_t>(0, image.height(), kRows), LevelRange{},
            [&](const auto& rows, LevelRange found) {
                for (std::uint32_t y = rows.begin(); y != rows.end(); ++y) {
                    const Pixel* row = pixels + std::size_t{y} * image.width();
                    const auto add = [&](std::uint32_t first, std::uint32_t last) {
                        const auto [low, high] = std::minmax_element(row + first, row + last);
                        found = joined(found, {*low, *high});
                    };
                    if (loaded.valid) {
                        forEachRun(*loaded.valid, y, true, add);
                    } else {
                        add(0, image.width());
                    }
                }
                return found;
            },
            joined);
    });
}

} // namespace

void ValidLevels::join(const ValidLevels& part) noexcept {
    invalid += part.invalid;
    if (!part.none) {
        smallest = none ? part.smallest : std::min(smallest, part.smallest);
        largest = std::max(largest, part.largest);
        none = false;
    }
}

ValidLevels validLevelsOf(const LoadedImage& part) {
    const std::uint64_t invalid = part.info.invalidPixels;
    if (invalid == part.image->pixelCount()) {
        return {invalid};
    }
    const LevelRange range = rangeOf(part);
    return {invalid, false, range.smallest, range.largest};
}

} // namespace pollard
