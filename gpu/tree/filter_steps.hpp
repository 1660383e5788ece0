#pragma once

#include "device/host_device.hpp"
#include "filter/criterion_bounds.hpp"

#include <cstddef>
#include <cstdint>

// The filter, step by step: each is what is done for one node or one pixel, so that tests can run it in a loop.
// Node numbers are preorder: the nodes of a component are an interval.

namespace pollard::cuda {

/// Joins one criterion to those decided before.
template <class T> struct DecideNodes {
    const T* values;
    CriterionBounds<T> bounds;
    bool first; ///< nothing was decided before
    bool all;   ///< every criterion must be met, else any
    std::uint8_t* meets;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const T value = values[node];
        const bool in = !bounds.empty && value >= bounds.minimum && value <= bounds.maximum; // NaN is never in
        const bool before = first ? all : meets[node] != 0;
        meets[node] = (all ? before && in : before || in) ? 1 : 0;
    }
};

/// Rule::min, first part: how far the component of a node reaches that fails. The running maximum of it tells, for
/// every node, whether a component that fails and starts at or before it holds it.
struct ReachOfFailures {
    const std::uint8_t* meets;
    const std::uint32_t* subtreeEnd;
    std::uint32_t* reach;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        reach[node] = meets[node] != 0 ? 0 : subtreeEnd[node];
    }
};

/// Rule::min, second part: a node stays if neither it nor an ancestor fails.
struct KeepBeyondFailures {
    const std::uint32_t* reach; ///< running maximum, the node itself included
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept { keep[node] = reach[node] <= node ? 1 : 0; }
};

/// Rule::max, first part: one more than the number of a node that meets the criteria; the running maximum of it is
/// the last such node so far.
struct PlacesOfSuccess {
    const std::uint8_t* meets;
    std::uint32_t* place;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        place[node] = meets[node] != 0 ? static_cast<std::uint32_t>(node) + 1 : 0;
    }
};

/// Rule::max, second part: a node stays if its component has a node that meets the criteria.
struct KeepAroundSuccess {
    const std::uint32_t* place; ///< running maximum, the node itself included
    const std::uint32_t* subtreeEnd;
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        keep[node] = place[subtreeEnd[node] - 1] > node ? 1 : 0;
    }
};

/// A kept node, and the root, points to itself, a removed one to its parent.
/// @return 1 if the node is kept
struct StartAtParents {
    const std::uint8_t* keep;
    const std::uint32_t* parent;
    std::uint32_t* kept;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const bool stays = node == 0 || keep[node] != 0;
        kept[node] = stays ? static_cast<std::uint32_t>(node) : parent[node];
        return stays ? 1U : 0U;
    }
};

/// One round of pointer jumping towards the nearest kept ancestor, in place. Others may jump at the same time: whatever
/// is read lies between the node and its nearest kept ancestor, and not further from that than at the round's start.
/// @return 1 if the node moved
struct JumpToKept {
    static constexpr int kJumps = 3;

    std::uint32_t* kept;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const volatile std::uint32_t* shared = kept;
        const std::uint32_t start = shared[node];
        std::uint32_t at = start;
        for (int i = 0; i < kJumps; ++i) {
            const std::uint32_t further = shared[at];
            if (further == at) {
                break;
            }
            at = further;
        }
        if (at != start) {
            kept[node] = at;
        }
        return at != start ? 1U : 0U;
    }

    /// Rounds after which every node has arrived; every round reaches at least kJumps + 1 times as far.
    [[nodiscard]] static constexpr int rounds(std::uint32_t depth) noexcept {
        int rounds = 0;
        for (std::uint64_t reach = 1; reach < depth; reach *= kJumps + 1) {
            ++rounds;
        }
        return rounds;
    }
};

/// What the pixels of a node become.
struct WriteLevels {
    const std::uint32_t* kept; ///< nearest kept ancestor or the node itself
    const std::uint16_t* level;
    std::uint16_t* value;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept { value[node] = level[kept[node]]; }
};

/// The same for a mask. The root holds every pixel, so it counts only if the rule keeps it for its own sake.
struct WriteMask {
    const std::uint32_t* kept;
    const std::uint8_t* keep;
    std::uint16_t full; ///< largest level
    std::uint16_t* value;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        value[node] = keep[kept[node]] != 0 ? full : std::uint16_t{0};
    }
};

/// The level of an ancestor differs from a node's, so the pixels that change are those of removed nodes.
/// @return 1 if the pixel changes
struct IsChanged {
    const std::uint32_t* pixelNode;
    const std::uint8_t* keep;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t pixel) const noexcept {
        const std::uint32_t node = pixelNode[pixel];
        return node != 0 && keep[node] == 0 ? 1U : 0U;
    }
};

} // namespace pollard::cuda
