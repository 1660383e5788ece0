#include "components/outline_files/outline_painter.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace pollard {

OutlinePainter::OutlinePainter(const Extent& extent) : labels_{extent, Buffer<std::uint32_t>(extent.pixelCount()), {}} {
    std::ranges::fill(labels_.labels, 0U);
}

void OutlinePainter::paint(const StoredOutline& outline, std::uint32_t number, const JobControl& control) {
    control.throwIfStopped();
    const std::uint32_t slices = labels_.extent.slices;
    if (outline.slice.value_or(0) >= slices) {
        throw Error(ErrorCode::fileDamaged, "slice " + std::to_string(*outline.slice) + " is outside of the " +
                                                std::to_string(slices) + " of the image");
    }
    const std::uint32_t first = outline.slice.value_or(0);
    const std::uint32_t end = outline.slice ? first + 1 : slices;
    for (const OutlinePolygon& polygon : outline.polygons) {
        fill(polygon, outline.takesRightEdge, number, first, end);
    }
    fill(outline.runs, number);
}

/// Adds the rows whose centres the edge crosses.
void OutlinePainter::cross(const OutlineCorner& from, const OutlineCorner& to) {
    constexpr std::size_t kMostCrossings = 100'000'000;
    const double top = std::min(from.y, to.y);
    const double bottom = std::max(from.y, to.y);
    const double first = std::max(0.0, std::ceil(top - .5));
    const double end = std::min(static_cast<double>(labels_.extent.height), std::ceil(bottom - .5));
    for (double row = first; row < end; ++row) {
        if (crossings_.size() == kMostCrossings) {
            throw Error(ErrorCode::limitExceeded, "a polygon has too many corners");
        }
        // The product first, so that edges between whole numbers go exactly through the centres of pixels.
        const double across = (row + .5 - from.y) * (to.x - from.x) / (to.y - from.y);
        crossings_.push_back({static_cast<std::uint32_t>(row), from.x + across});
    }
}

/// Fills the pixels of the slices [first, end) whose centres are in the polygon.
void OutlinePainter::fill(const OutlinePolygon& polygon, bool takesRightEdge, std::uint32_t number, std::uint32_t first,
                          std::uint32_t end) {
    crossings_.clear();
    for (const OutlineLoop& ring : polygon) {
        for (std::size_t i = 0; i != ring.size(); ++i) {
            cross(ring[i], ring[(i + 1) % ring.size()]);
        }
    }
    std::ranges::sort(crossings_,
                      [](const Crossing& a, const Crossing& b) { return a.row != b.row ? a.row < b.row : a.x < b.x; });
    const auto column = [&](double x) { // the first one inside, or the first one outside
        const double place = takesRightEdge ? std::floor(x + .5) : std::ceil(x - .5);
        return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(labels_.extent.width)));
    };
    for (std::size_t i = 0; i + 1 < crossings_.size(); i += 2) { // each row has an even number of crossings
        const std::size_t from = column(crossings_[i].x);
        const std::size_t to = column(crossings_[i + 1].x);
        for (std::size_t slice = first; slice != end; ++slice) {
            const std::size_t row = slice * labels_.extent.height + crossings_[i].row;
            std::ranges::fill(labels_.labels.span().subspan(row * labels_.extent.width + from, to - from), number);
        }
    }
}

void OutlinePainter::fill(const std::vector<std::uint64_t>& runs, std::uint32_t number) {
    const std::uint64_t height = labels_.extent.height;
    const std::uint64_t pixels = height * labels_.extent.width;
    std::uint64_t at = 0;
    bool isInside = false;
    for (const std::uint64_t run : runs) {
        if (run > pixels - at) {
            throw Error(ErrorCode::fileDamaged, "the runs of a mask have more pixels than the image");
        }
        for (const std::uint64_t end = at + run; at != end; ++at) {
            if (isInside) {
                labels_.labels[at % height * labels_.extent.width + at / height] = number;
            }
        }
        isInside = !isInside;
    }
}

} // namespace pollard
