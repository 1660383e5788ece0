#pragma once

#include "base/compiler.hpp"
#include "cuda/nodes/bin_steps.hpp"
#include "cuda/tree/interval_table.hpp"
#include "cuda/tree/ranked_nodes.hpp"
#include "filter/filter_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Steps of the filter, each for one node or one pixel, so that tests can run them in a loop. Node indices are preorder:
// the nodes of a component are an interval.

namespace pollard::cuda {

/// Combines one criterion with the preceding ones.
template <class T> struct DecideNodes {
    const T* values;
    CriterionBounds<T> bounds;
    bool first; ///< the first criterion
    bool all;   ///< all criteria must be met, else any
    std::uint8_t* meets;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const T value = values[node];
        const bool in = !bounds.empty && value >= bounds.minimum && value <= bounds.maximum; // false for NaN
        const bool before = first ? all : meets[node] != 0;
        meets[node] = (all ? before && in : before || in) ? 1 : 0;
    }
};

/// Removes the nodes that FilterSpec::forest removes.
struct KeepIfForestKeeps {
    const std::uint8_t* forest;
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        keep[node] = static_cast<std::uint8_t>(keep[node] & forest[node]);
    }
};

/// Rule::min, first part: the end of each failing component, else 0. Its inclusive running maximum shows for each node
/// whether a failing component contains it.
struct ReachOfFailures {
    const std::uint8_t* meets;
    const std::uint32_t* subtreeEnd;
    std::uint32_t* reach;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        reach[node] = meets[node] != 0 ? 0 : subtreeEnd[node];
    }
};

/// Rule::min, second part: a node is kept if neither it nor an ancestor fails.
struct KeepBeyondFailures {
    const std::uint32_t* reach; ///< inclusive running maximum
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept { keep[node] = reach[node] <= node ? 1 : 0; }
};

/// Rule::max, first part: 1 + the number of a node that meets the criteria, else 0; the running maximum gives the last
/// such node.
struct PlacesOfSuccess {
    const std::uint8_t* meets;
    std::uint32_t* place;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        place[node] = meets[node] != 0 ? static_cast<std::uint32_t>(node) + 1 : 0;
    }
};

/// Rule::max, second part: a node is kept if its component contains a node that meets the criteria.
struct KeepAroundSuccess {
    const std::uint32_t* place; ///< inclusive running maximum
    const std::uint32_t* subtreeEnd;
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        keep[node] = place[subtreeEnd[node] - 1] > node ? 1 : 0;
    }
};

/// Ends of the components picked by hand; the running maximum shows which nodes lie in one.
/// @return 1 if the pick is no canonical pixel
struct ReachOfPicks {
    NodePlan plan;
    const std::uint32_t* picks; ///< canonical pixels
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

/// Keeps nodes picked by hand, unless they lie in a removed one.
/// @return 1 if the pick is no canonical pixel
struct KeepPicked {
    NodePlan plan;
    const std::uint32_t* picks;
    const std::uint32_t* removed; ///< running maximum of ReachOfPicks; null if nothing is removed
    std::uint8_t* keep;
    std::uint32_t* place; ///< as in PlacesOfSuccess

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

/// Keeps the ancestors of a picked node, under a pruning rule.
struct KeepAroundPicked {
    const std::uint32_t* place; ///< inclusive running maximum
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

/// Removes nodes inside a removed one.
struct ClearRemoved {
    const std::uint32_t* reach; ///< inclusive running maximum
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (reach[node] > node) {
            keep[node] = 0;
        }
    }
};

/// Removes nodes outside all picked ones.
struct ClearOutside {
    const std::uint32_t* reach; ///< inclusive running maximum
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (reach[node] <= node) {
            keep[node] = 0;
        }
    }
};

/// The leaves up to a rank of prominence: with a larger value, or with an equal one and a canonical pixel that is not
/// later.
template <class T> struct ProminentLeaf {
    /// An integer in the order of the values.
    using Key = std::conditional_t<std::is_unsigned_v<T>, T, std::uint64_t>;

    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const T* values;
    Key least;                   ///< of the last leaf that counts
    std::uint32_t lastCanonical; ///< its canonical pixel

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const Key value = keyOf(values[node]);
        return subtreeEnd[node] == node + 1 && (value > least || (value == least && canonical[node] <= lastCanonical))
                   ? 1U
                   : 0U;
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static Key keyOf(T value) noexcept {
        if constexpr (std::is_unsigned_v<T>) {
            return value;
        } else {
            return orderedKey(static_cast<double>(value));
        }
    }
};
/// PlacesOfSuccess for prominent leaves.
template <class T> struct PlacesOfProminent {
    ProminentLeaf<T> isProminent;
    std::uint32_t* place;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        place[node] = isProminent(node) != 0 ? static_cast<std::uint32_t>(node) + 1 : 0;
    }
};
/// Removes components without a prominent leaf.
struct RemoveWithoutProminent {
    const std::uint32_t* place; ///< inclusive running maximum
    const std::uint32_t* subtreeEnd;
    std::uint8_t* keep;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        if (place[subtreeEnd[node] - 1] <= node) {
            keep[node] = 0;
        }
    }
};

/// End of each kept component, else 0; the root is always kept.
/// @return 1 if the node is kept
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

/// Finds the nearest kept node among a node and its ancestors: the node with the largest number among all kept nodes
/// whose interval reaches past the node.
struct NearestKept {
    struct IsBeyond {
        std::uint32_t node;
        [[nodiscard]] POLLARD_HOST_DEVICE bool operator()(std::uint32_t end) const noexcept { return end > node; }
    };

    const std::uint32_t* parent;
    IntervalTable<Largest<std::uint32_t>> reach; ///< elements as from ReachOfKept

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const auto self = static_cast<std::uint32_t>(node);
        if (reach.elements[node] > self) {
            return self;
        }
        const std::uint32_t up = parent[node]; // none of the nodes in between contains this one
        return reach.elements[up] > self ? up : reach.lastBefore(up, 0, IsBeyond{self});
    }
};

/// Value of a node's pixels: the level of the nearest kept node or, for a mask, whether a kept node contains them. The
/// root contains every pixel, so in a mask it counts only if the rule itself keeps it.
/// @return number of pixels that change: the own pixels of a removed node, since its level differs from its ancestors'
struct WriteLevels {
    NearestKept nearest;
    const std::uint16_t* level;
    const std::uint8_t* keep;
    const std::uint32_t* pixelsBefore; ///< exclusive prefix sum of the nodes' own pixels
    bool mask;
    std::uint16_t full; ///< largest level
    std::uint16_t* value;

    POLLARD_HOST_DEVICE std::uint32_t operator()(std::size_t node) const noexcept {
        const std::uint32_t kept = nearest(node);
        value[node] = !mask ? level[kept] : keep[kept] != 0 ? full : std::uint16_t{0};
        return kept == node ? 0 : pixelsBefore[node + 1] - pixelsBefore[node];
    }
};

/// Rule::subtractive: the level difference from the parent to a kept node. Its sum over a node and all ancestors is the
/// sum over all nodes up to it, minus that over components that have ended.
struct StepFromParent {
    NodePlan plan;
    const std::uint8_t* keep;
    std::uint32_t* step;    ///< modulo 2^32
    std::uint32_t* running; ///< nodes + 1; a copy, summed up after the ends are added

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
/// Writes the lowered levels. @return number of pixels that change
struct WriteLowered {
    NodePlan plan;
    const std::uint32_t* running; ///< exclusive prefix sum
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

/// Maximal kept components, first part: the end of each kept component. The root has no special role.
struct ReachOfComponents {
    const std::uint8_t* keep;
    const std::uint32_t* subtreeEnd;
    std::uint32_t* reach;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        reach[node] = keep[node] != 0 ? subtreeEnd[node] : 0;
    }
};
/// Second part: 1 for a kept node inside no other kept one; 0 after the last node.
struct IsMaximal {
    const std::uint8_t* keep;
    const std::uint32_t* reach; ///< inclusive running maximum
    std::uint32_t nodeCount;
    std::uint32_t* flag; ///< nodes + 1

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        flag[node] = node < nodeCount && keep[node] != 0 && (node == 0 || reach[node - 1] <= node) ? 1U : 0U;
    }
};
/// Third part: 1 + the index of the component that contains a node, 0 for none.
struct OwnerOf {
    const std::uint32_t* reach;   ///< inclusive running maximum
    const std::uint32_t* maximal; ///< exclusive prefix sum of IsMaximal
    std::uint32_t* owner;

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        owner[node] = reach[node] > node ? maximal[node + 1] : 0;
    }
};
/// Fourth part: marks the first pixel of each component.
struct MarkFirst {
    const std::uint32_t* first; ///< per component
    std::uint32_t* marks;       ///< pixels + 1

    POLLARD_HOST_DEVICE void operator()(std::size_t component) const noexcept { marks[first[component]] = 1; }
};
/// Last part: number of the node's component in the order of first pixels, from 1.
struct LabelOf {
    const std::uint32_t* first;
    const std::uint32_t* marksBefore; ///< exclusive prefix sum of the marks
    std::uint32_t* label;             ///< holds the owner before

    POLLARD_HOST_DEVICE void operator()(std::size_t node) const noexcept {
        const std::uint32_t owner = label[node];
        label[node] = owner == 0 ? 0 : marksBefore[first[owner - 1]] + 1;
    }
};
/// Writes labels as grey levels.
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
