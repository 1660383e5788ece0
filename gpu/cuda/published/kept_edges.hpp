#pragma once

#include "base/compiler.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Edges across the boundary of two regions at position k: u runs along one side, v along the other.
enum BoundaryEdge : std::uint32_t {
    kStraight = 1, ///< (u[k], v[k])
    kForward = 2,  ///< (u[k-1], v[k]), 8-connectivity only
    kBackward = 4, ///< (u[k], v[k-1]), 8-connectivity only
};

/// Rule for joining regions along a boundary.
struct BoundaryRule {
    bool eight;    ///< 8-connectivity
    bool simplify; ///< omit edges that cannot change the tree
};

/// Grey levels around one position of a boundary; neighbours are valid only where they exist.
struct BoundaryWindow {
    std::uint32_t uBefore, u, uAfter;
    std::uint32_t vBefore, v, vAfter;
    bool hasBefore, hasAfter;
};

/// Proposition 1 of Blin et al. 2022, 8-connectivity: which of the three edges must be joined, at most one. The
/// previous position connects the ends of the other two at the same level or above.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t keptByProposition1(const BoundaryWindow& w) noexcept {
    if (w.hasBefore) {
        const bool uRises = w.u > w.uBefore;
        const bool vRises = w.v > w.vBefore;
        if (!uRises && vRises) {
            return kForward;
        }
        if (uRises && !vRises) {
            return kBackward;
        }
        if (!uRises) {
            return 0U;
        }
    }
    return kStraight;
}

/// Proposition 2, 8-connectivity: whether the next position makes a remaining straight edge redundant.
[[nodiscard]] POLLARD_HOST_DEVICE inline bool droppedByProposition2(const BoundaryWindow& w) noexcept {
    return w.hasAfter && (w.uAfter > w.u || w.vAfter > w.v);
}

/// Proposition 3, 4-connectivity: whether the straight edge is redundant. The paper prints the inequality reversed: an
/// edge is redundant if the lower end of an adjacent edge is at least as high as its own; of equal edges in a row, the
/// first one is kept.
[[nodiscard]] POLLARD_HOST_DEVICE inline bool droppedByProposition3(const BoundaryWindow& w) noexcept {
    const std::uint32_t own = w.u < w.v ? w.u : w.v;
    const bool earlier = w.hasBefore && w.uBefore >= own && w.vBefore >= own;
    const bool later = w.hasAfter && w.uAfter > own && w.vAfter > own;
    return earlier || later;
}

/// The edges to join at this position, as a set of BoundaryEdge.
///
/// With simplification, at most one edge per position: an edge is omitted if adjacent positions join the same
/// components at the same level or above. Both sides must be connected along the boundary, so a boundary must not turn
/// a corner of a region.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t keptEdges(const BoundaryWindow& w, BoundaryRule rule) noexcept {
    if (!rule.simplify) {
        return kStraight | (rule.eight && w.hasBefore ? kForward | kBackward : 0U);
    }
    if (!rule.eight) {
        return droppedByProposition3(w) ? 0U : kStraight;
    }
    const std::uint32_t kept = keptByProposition1(w);
    if (kept != kStraight) {
        return kept;
    }
    return droppedByProposition2(w) ? 0U : kStraight;
}

} // namespace pollard::cuda
