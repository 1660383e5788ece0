#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/tree/interval_table.hpp"
#include "cuda/tree/node_plan.hpp"
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

/// How far the components reach that picks by hand name; the running maximum tells what lies in one of them.
/// @return 1 if the pick names no node
struct ReachOfPicks {
    NodePlan plan;
    const std::uint32_t* picks; ///< pixel indices of canonical pixels
    std::uint32_t* reach;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t i) const noexcept {
        const std::uint32_t pixel = picks[i];
        if (pixel >= plan.pixelCount() || plan.canonical[plan.pixelNode[pixel]] != pixel) {
            return 1;
        }
        const std::uint32_t node = plan.pixelNode[pixel];
        reach[node] = plan.subtreeEnd[node];
        return 0;
    }
};

/// Picks by hand that keep a node, unless it lies in a removed one.
/// @return 1 if the pick names no node
struct KeepPicked {
    NodePlan plan;
    const std::uint32_t* picks;
    const std::uint32_t* removed; ///< running maximum of ReachOfPicks; null if nothing is removed
    std::uint8_t* keep;
    std::uint32_t* place; ///< as PlacesOfSuccess

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t i) const noexcept {
        const std::uint32_t pixel = picks[i];
        if (pixel >= plan.pixelCount() || plan.canonical[plan.pixelNode[pixel]] != pixel) {
            return 1;
        }
        const std::uint32_t node = plan.pixelNode[pixel];
        if (removed == nullptr || removed[node] <= node) {
            keep[node] = 1;
            place[node] = node + 1;
        }
        return 0;
    }
};

/// Keeps what holds a picked node, under a rule that prunes.
struct KeepAroundPicked {
    const std::uint32_t* place; ///< running maximum
    const std::uint32_t* subtreeEnd;
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (place[subtreeEnd[node] - 1] > node) {
            keep[node] = 1;
        }
    }
};

struct CopyDecision {
    const std::uint8_t* from;
    std::uint8_t* to;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept { to[i] = from[i]; }
};

/// Removes what lies in a removed node.
struct ClearRemoved {
    const std::uint32_t* reach; ///< running maximum
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (reach[node] > node) {
            keep[node] = 0;
        }
    }
};

/// Removes what lies in no picked node.
struct ClearOutside {
    const std::uint32_t* reach; ///< running maximum
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (reach[node] <= node) {
            keep[node] = 0;
        }
    }
};

/// The leaves that are at least so prominent: by a larger value, or by the same and a canonical pixel that is not
/// behind.
template <class T> struct ProminentLeaf {
    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const T* values;
    T least;                     ///< value of the last that is prominent enough
    std::uint32_t lastCanonical; ///< and its canonical pixel

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const T value = values[node];
        return subtreeEnd[node] == node + 1 && (value > least || (value == least && canonical[node] <= lastCanonical))
                   ? 1U
                   : 0U;
    }
};
/// PlacesOfSuccess, of prominent leaves.
template <class T> struct PlacesOfProminent {
    ProminentLeaf<T> isProminent;
    std::uint32_t* place;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        place[node] = isProminent(node) != 0 ? static_cast<std::uint32_t>(node) + 1 : 0;
    }
};
/// Removes what holds no prominent leaf.
struct RemoveWithoutProminent {
    const std::uint32_t* place; ///< running maximum
    const std::uint32_t* subtreeEnd;
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (place[subtreeEnd[node] - 1] <= node) {
            keep[node] = 0;
        }
    }
};

/// How far the component of a node reaches that stays; the root always does.
/// @return 1 if the node stays
struct ReachOfKept {
    const std::uint8_t* keep;
    const std::uint32_t* subtreeEnd;
    std::uint32_t* reach;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const bool stays = node == 0 || keep[node] != 0;
        reach[node] = stays ? subtreeEnd[node] : 0;
        return stays ? 1U : 0U;
    }
};

/// The nearest kept of a node and its ancestors: of those that stay and reach beyond the node it has the largest
/// number.
struct NearestKept {
    struct IsBeyond {
        std::uint32_t node;
        [[nodiscard]] POLLARD_HOST_DEVICE bool operator()(std::uint32_t end) const noexcept { return end > node; }
    };

    const std::uint32_t* parent;
    IntervalTable<Largest<std::uint32_t>> reach; ///< of ReachOfKept

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const auto self = static_cast<std::uint32_t>(node);
        if (reach.elements[node] > self) {
            return self;
        }
        const std::uint32_t up = parent[node]; // of the nodes between, none holds this one
        return reach.elements[up] > self ? up : reach.lastBefore(up, 0, IsBeyond{self});
    }
};

/// What the pixels of a node become: the level of the nearest kept node or, for a mask, whether one holds them. The
/// root holds every pixel, so it counts in a mask only if the rule keeps it for its own sake.
/// @return how many pixels change: those of a removed node, since its level differs from any ancestor's
struct WriteLevels {
    NearestKept nearest;
    const std::uint16_t* level;
    const std::uint8_t* keep;
    const std::uint32_t* pixelsBefore; ///< running sum of the nodes' own pixels
    bool mask;
    std::uint16_t full; ///< largest level
    std::uint16_t* value;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const std::uint32_t kept = nearest(node);
        value[node] = !mask ? level[kept] : keep[kept] != 0 ? full : std::uint16_t{0};
        return kept == node ? 0 : pixelsBefore[node + 1] - pixelsBefore[node];
    }
};

/// Rule::subtractive: what is lost or gained on the way from the parent to a node that stays. A sum over it and all its
/// ancestors is one over the nodes so far, less that over the components that have ended.
struct StepFromParent {
    NodePlan plan;
    const std::uint8_t* keep;
    std::uint32_t* step;    ///< modulo 2^32
    std::uint32_t* running; ///< nodes + 1; the same, to be summed up once the ends are in it

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        std::uint32_t change = 0;
        if (node > 0 && node < plan.nodeCount && keep[node] != 0) {
            change = std::uint32_t{plan.level[node]} - plan.level[plan.parent[node]];
        }
        if (node < plan.nodeCount) {
            step[node] = 0U - change;
        }
        running[node] = change;
    }
};
/// @return how many pixels change
struct WriteLowered {
    NodePlan plan;
    const std::uint32_t* running; ///< summed up: of all nodes of smaller numbers
    const std::uint32_t* pixelsBefore;
    std::uint16_t* value; ///< null: count only

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const auto level = static_cast<std::uint16_t>(plan.level[0] + running[node + 1]);
        if (value != nullptr) {
            value[node] = level;
        }
        return level == plan.level[node] ? 0 : pixelsBefore[node + 1] - pixelsBefore[node];
    }
};

/// Maximal kept components, first part: how far they reach. Here the root is like every other node.
struct ReachOfComponents {
    const std::uint8_t* keep;
    const std::uint32_t* subtreeEnd;
    std::uint32_t* reach;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        reach[node] = keep[node] != 0 ? subtreeEnd[node] : 0;
    }
};
/// Second part: 1 for a kept node that no other kept one holds; the one behind the last node becomes 0.
struct IsMaximal {
    const std::uint8_t* keep;
    const std::uint32_t* reach; ///< running maximum
    std::uint32_t nodeCount;
    std::uint32_t* flag; ///< nodes + 1

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        flag[node] = node < nodeCount && keep[node] != 0 && (node == 0 || reach[node - 1] <= node) ? 1U : 0U;
    }
};
/// Third part: one more than the index of the component that holds a node, 0 for none.
struct OwnerOf {
    const std::uint32_t* reach;   ///< running maximum
    const std::uint32_t* maximal; ///< running sum of IsMaximal
    std::uint32_t* owner;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        owner[node] = reach[node] > node ? maximal[node + 1] : 0;
    }
};
/// Fourth part: marks the first pixels.
struct MarkFirst {
    const std::uint32_t* first; ///< per component
    std::uint32_t* marks;       ///< pixels + 1

    POLLARD_HOST_DEVICE void operator()(std::size_t component) const noexcept { marks[first[component]] = 1; }
};
/// Last part: the number of the node's component in the order of first pixels, from 1 on.
struct LabelOf {
    const std::uint32_t* first;
    const std::uint32_t* marksBefore; ///< running sum of the marks
    std::uint32_t* label;             ///< in place of the owner

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint32_t owner = label[node];
        label[node] = owner == 0 ? 0 : marksBefore[first[owner - 1]] + 1;
    }
};
/// A label in a picture of levels.
struct WriteLabels {
    const std::uint32_t* label;
    std::uint16_t full; ///< largest level
    std::uint16_t* value;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        value[node] = static_cast<std::uint16_t>(label[node] == 0 ? 0 : 1 + (label[node] - 1) % full);
    }
};
struct WritePixelLabels {
    const std::uint32_t* pixelNode;
    const std::uint32_t* label;
    std::uint32_t* out;

    POLLARD_HOST_DEVICE void operator()(std::size_t pixel) const noexcept { out[pixel] = label[pixelNode[pixel]]; }
};

} // namespace pollard::cuda
