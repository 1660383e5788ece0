#pragma once

#include "base/compiler.hpp"

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

/// Smallest closed rectangle around some positions.
struct ContourBox {
    std::int32_t left, top, right, bottom;

    [[nodiscard]] POLLARD_HOST_DEVICE static ContourBox around(ContourNode a, ContourNode b) noexcept {
        ContourBox box{a.x, a.y, a.x, a.y};
        box.add(b);
        return box;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isApartFrom(const ContourBox& other) const noexcept {
        return other.right < left || other.left > right || other.bottom < top || other.top > bottom;
    }
    POLLARD_HOST_DEVICE void add(ContourNode place) noexcept {
        left = place.x < left ? place.x : left;
        top = place.y < top ? place.y : top;
        right = place.x > right ? place.x : right;
        bottom = place.y > bottom ? place.y : bottom;
    }
};

/// Boxes around groups of sixteen edges of a contour, so that searches for contacts skip most edges.
class ContourBoxes {
public:
    static constexpr std::size_t kEdges = 16;

    /// Computes the boxes: box i contains the edges from index kEdges i on; edge j is from node j to the next.
    /// O(nodes).
    void update(const Contour& contour);
    [[nodiscard]] const ContourBox& operator[](std::size_t i) const noexcept { return boxes_[i]; }

private:
    std::vector<ContourBox> boxes_;
};

/// Whether the path via three positions reverses along itself.
[[nodiscard]] POLLARD_HOST_DEVICE inline bool turnsBack(ContourNode a, ContourNode b, ContourNode c) noexcept {
    if (sideOf(a, b, c) != 0) {
        return false;
    }
    const std::int64_t along = std::int64_t{b.x - a.x} * (c.x - b.x) + std::int64_t{b.y - a.y} * (c.y - b.y);
    return along < 0;
}

/// The path from one node of a contour via a position to the next node or the node after it. The edges that currently
/// join these nodes are ignored.
class ContourPath {
public:
    /// @param nodes nodes of the contour
    POLLARD_HOST_DEVICE ContourPath(const ContourNode* nodes, std::size_t count, std::size_t before, std::size_t after,
                                    ContourNode place) noexcept
        : nodes_(nodes), count_(count), before_(before), after_(after), from_(nodes[before]), place_(place),
          to_(nodes[after]), box_(ContourBox::around(from_, to_)) {
        box_.add(place);
    }

    [[nodiscard]] POLLARD_HOST_DEVICE const ContourBox& box() const noexcept { return box_; }
    /// Whether an edge has no length or the path reverses along itself.
    [[nodiscard]] POLLARD_HOST_DEVICE bool isNone() const noexcept {
        return place_ == from_ || place_ == to_ || turnsBack(from_, place_, to_);
    }
    /// Whether the path touches edge @p i, from node i to the next, or reverses along it.
    [[nodiscard]] POLLARD_HOST_DEVICE bool touchesEdge(std::size_t i) const noexcept {
        if (i == before_ || (next(before_) != after_ && i == next(before_))) {
            return false;
        }
        return touches(nodes_[i], nodes_[next(i)], next(i) == before_, i == after_);
    }
    /// touchesEdge() for an edge from c to d; adjacent edges share a node with the path, so only reversal counts.
    /// @param leadsToFrom whether d is the first node of the path
    /// @param followsTo whether c is the last node of the path
    [[nodiscard]] POLLARD_HOST_DEVICE bool touches(ContourNode c, ContourNode d, bool leadsToFrom,
                                                   bool followsTo) const noexcept {
        if (box_.isApartFrom(ContourBox::around(c, d))) {
            return false;
        }
        return (followsTo ? turnsBack(place_, to_, d) : segmentsMeet(place_, to_, c, d)) ||
               (leadsToFrom ? turnsBack(c, from_, place_) : segmentsMeet(from_, place_, c, d));
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t next(std::size_t i) const noexcept {
        return i + 1 < count_ ? i + 1 : 0;
    }

    const ContourNode* nodes_;
    std::size_t count_;
    std::size_t before_;
    std::size_t after_;
    ContourNode from_;
    ContourNode place_;
    ContourNode to_;
    ContourBox box_;
};

/// Whether the path from node @p before via @p place to node @p after would touch the rest of the contour, or turn back
/// on itself. The current connection is ignored: one edge between neighbours, or the two edges at the node between
/// them.
/// @param boxes of the contour, for speed; null for none
[[nodiscard]] bool wouldTouch(const Contour& contour, std::size_t before, std::size_t after, ContourNode place,
                              const ContourBoxes* boxes = nullptr) noexcept;

/// Whether no two edges have a common point except the node that neighbouring edges share. O(nodes^2).
[[nodiscard]] bool isSimple(const Contour& contour) noexcept;

/// Removes parts of a contour that enclose no pixel and turn back: spikes of the region, slits into the region, and
/// paths that run to and fro. The result is simple, has the same mask (see ContourRows), and trimmed() does not change
/// it.
///
/// A node is empty if its triangle with its neighbours contains no pixel and an edge between its neighbours would touch
/// nothing else. Empty nodes are removed one after the other until there are none. The removed nodes form runs, each
/// between two nodes that stay. A run stays removed if one of its nodes turns by more than a right angle; other runs
/// are restored, unless the contour would then touch itself. This is repeated until no run is removed. Contours that
/// nowhere turn by more than a right angle are not changed.
/// @param contour a simple polygon within 0..width, 0..height
[[nodiscard]] Contour trimmed(const Contour& contour);

} // namespace pollard
