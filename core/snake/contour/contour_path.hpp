#pragma once

#include "base/host_device.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_boxes.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// Whether the path via three positions reverses along itself.
[[nodiscard]] POLLARD_HOST_DEVICE inline bool turnsBack(ContourNode a, ContourNode b, ContourNode c) noexcept {
    if (sideOf(a, b, c) != 0) {
        return false;
    }
    const std::int64_t along = std::int64_t{b.x - a.x} * (c.x - b.x) + std::int64_t{b.y - a.y} * (c.y - b.y);
    return along < 0;
}

/// The path from one node of a contour via a position to another node, which is the next one or the second next. The
/// edges that currently join the nodes are ignored.
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

} // namespace pollard
