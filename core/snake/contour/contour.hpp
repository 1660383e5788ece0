#pragma once

#include "base/host_device.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Corner in the pixel grid: (x, y) is the upper left corner of pixel (x, y), so x is in 0..width and y in 0..height,
/// downwards.
struct ContourNode {
    std::int32_t x = 0;
    std::int32_t y = 0;

    bool operator==(const ContourNode&) const = default;
};

/// Closed polygon: an edge joins the last node to the first.
using Contour = std::vector<ContourNode>;

class ContourBoxes;

/// Twice the signed area in px: positive if the contour is clockwise on the screen (y points down).
[[nodiscard]] std::int64_t twiceSignedArea(const Contour& contour) noexcept;

/// Parts of a px in which fineLength() counts.
inline constexpr std::int32_t kLengthParts = 65536;

/// Euclidean length of an edge, rounded to 1 / kLengthParts px. Lengths of contours are sums of these integers, so they
/// depend neither on the order of the edges nor on the device.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::int64_t fineLength(ContourNode a, ContourNode b) noexcept {
    const std::int64_t x = std::int64_t{b.x} - a.x;
    const std::int64_t y = std::int64_t{b.y} - a.y;
    constexpr double kHalf = 0.5; // to the nearest, because lengths are not negative
    return static_cast<std::int64_t>(std::sqrt(static_cast<double>(x * x + y * y)) * kLengthParts + kHalf);
}
/// Sum over the edges.
[[nodiscard]] std::int64_t fineLength(const Contour& contour) noexcept;

/// 1 if r is right of the line from p to q on the screen (y points down), -1 if left, 0 if on it.
[[nodiscard]] POLLARD_HOST_DEVICE inline int sideOf(ContourNode p, ContourNode q, ContourNode r) noexcept {
    const std::int64_t turn = std::int64_t{q.x - p.x} * (r.y - p.y) - std::int64_t{q.y - p.y} * (r.x - p.x);
    return turn > 0 ? 1 : turn < 0 ? -1 : 0;
}

/// Whether two segments, ends included, have a point in common.
[[nodiscard]] POLLARD_HOST_DEVICE inline bool segmentsMeet(ContourNode a, ContourNode b, ContourNode c,
                                                           ContourNode d) noexcept {
    const auto within = [](ContourNode p, ContourNode q, ContourNode r) { // for r on the line through both
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

/// Whether the path from node @p before via @p place to node @p after would touch the rest of the contour, or turn back
/// on itself. The current connection is ignored: one edge between neighbours, or the two edges at the node between
/// them.
/// @param boxes of the contour, for speed; null for none
[[nodiscard]] bool wouldTouch(const Contour& contour, std::size_t before, std::size_t after, ContourNode place,
                              const ContourBoxes* boxes = nullptr) noexcept;

/// Whether no two edges have a common point, except neighbours their node. O(nodes^2).
[[nodiscard]] bool isSimple(const Contour& contour) noexcept;

} // namespace pollard
