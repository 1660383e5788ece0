#pragma once

#include "base/host_device.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Corner of pixels: (x, y) is the upper left corner of the pixel (x, y), so x goes from 0 to the image's width and y
/// to its height, downwards.
struct ContourNode {
    std::int32_t x = 0;
    std::int32_t y = 0;

    bool operator==(const ContourNode&) const = default;
};

/// Closed polygon: the last node is joined to the first one.
using Contour = std::vector<ContourNode>;

class ContourBoxes;

/// Twice the signed area, in pixels: positive if the contour turns clockwise as seen (y points down).
[[nodiscard]] std::int64_t twiceSignedArea(const Contour& contour) noexcept;

/// 1 if r lies to the right of the way from p to q as seen (y points down), -1 to the left, 0 on the line.
[[nodiscard]] POLLARD_HOST_DEVICE inline int sideOf(ContourNode p, ContourNode q, ContourNode r) noexcept {
    const std::int64_t turn = std::int64_t{q.x - p.x} * (r.y - p.y) - std::int64_t{q.y - p.y} * (r.x - p.x);
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

/// Whether two segments, ends included, have a point in common.
[[nodiscard]] POLLARD_HOST_DEVICE inline bool segmentsMeet(ContourNode a, ContourNode b, ContourNode c,
                                                           ContourNode d) noexcept {
    const auto within = [](ContourNode p, ContourNode q, ContourNode r) { // r is on the line through both
        const bool inX = (p.x <= r.x && r.x <= q.x) || (q.x <= r.x && r.x <= p.x);
        return inX && ((p.y <= r.y && r.y <= q.y) || (q.y <= r.y && r.y <= p.y));
    };
    const int ofC = sideOf(a, b, c);
    const int ofD = sideOf(a, b, d);
    const int ofA = sideOf(c, d, a);
    const int ofB = sideOf(c, d, b);
    if (ofC * ofD < 0 && ofA * ofB < 0) {
        return true;
    }
    return (ofC == 0 && within(a, b, c)) || (ofD == 0 && within(a, b, d)) || (ofA == 0 && within(c, d, a)) ||
           (ofB == 0 && within(c, d, b));
}

/// Whether the way from node @p before over @p place to node @p after would touch the contour elsewhere, or turn back
/// on itself. What now joins both nodes is not looked at: one edge, if they are neighbours, or the two at the node
/// between them.
/// @param boxes of the contour, to be faster; null for none
[[nodiscard]] bool wouldTouch(const Contour& contour, std::size_t before, std::size_t after, ContourNode place,
                              const ContourBoxes* boxes = nullptr) noexcept;

/// Whether no two edges have a point in common but neighbours their node. O(nodes^2).
[[nodiscard]] bool isSimple(const Contour& contour) noexcept;

} // namespace pollard
