#pragma once

#include "snake/contour.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Smallest rectangle, with its border, around some places.
struct ContourBox {
    std::int32_t left, top, right, bottom;

    [[nodiscard]] static ContourBox around(ContourNode a, ContourNode b) noexcept {
        return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
    }
    [[nodiscard]] bool isApartFrom(const ContourBox& other) const noexcept {
        return other.right < left || other.left > right || other.bottom < top || other.top > bottom;
    }
    void add(ContourNode place) noexcept {
        left = std::min(left, place.x);
        top = std::min(top, place.y);
        right = std::max(right, place.x);
        bottom = std::max(bottom, place.y);
    }
};

/// Boxes around every sixteen edges of a contour, so that a search for what touches an edge can leave most of the
/// contour out.
class ContourBoxes {
public:
    static constexpr std::size_t kEdges = 16;

    /// Box i is around the edges from number kEdges i on; edge number j leads from node j to the next. O(nodes).
    void update(const Contour& contour);
    [[nodiscard]] const ContourBox& operator[](std::size_t i) const noexcept { return boxes_[i]; }

private:
    std::vector<ContourBox> boxes_;
};

} // namespace pollard
