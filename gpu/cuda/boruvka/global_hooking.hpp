#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

// Pass 3: Boruvka's algorithm on the frozen components of all tiles. A round is HookComponents, SettleComponents,
// CarryEdges. When few edges are left, JoinRemaining runs the remaining rounds in one block, because launching kernels
// would take most of their time.

namespace pollard::cuda {

/// Value of FrozenComponents::best for a component hooked in an earlier round.
constexpr std::uint64_t kSettled = ~std::uint64_t{0};

/// Makes every component a root. One thread per component.
struct IsolateComponents {
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        components.best[i] = EdgeKey::kNone;
        components.hook[i] = EdgeKey::kNone;
        components.joined[i] = static_cast<std::uint32_t>(i);
    }
};

/// Proposes the first edges to the components. One thread per edge.
struct ProposeEdges {
    EdgeList edges;
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        raiseTo(&components.best[edges.one[i]], edges.key[i]);
        raiseTo(&components.best[edges.other[i]], edges.key[i]);
    }
};

/// Hooks components along edges that are the highest of one of their ends. If an edge is the highest of both, the
/// component of lower number stays a root. One thread per edge.
struct HookComponents {
    EdgeList edges;
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint64_t key = edges.key[i];
        const std::uint32_t one = edges.one[i];
        const std::uint32_t other = edges.other[i];
        const bool isBestOfOne = components.best[one] == key;
        const bool isBestOfOther = components.best[other] == key;
        if (isBestOfOne && (!isBestOfOther || other < one)) {
            hook(one, other, key);
        } else if (isBestOfOther) {
            hook(other, one, key);
        }
    }

private:
    POLLARD_DEVICE void hook(std::uint32_t component, std::uint32_t to, std::uint64_t key) const {
        components.hook[component] = key;
        components.joined[component] = to;
    }
};

/// Links components hooked in this round directly to their roots, and resets the roots for the next round. One thread
/// per component. All threads compress at the same time and store each step, so that paths are halved (pointer
/// jumping).
struct SettleComponents {
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        if (components.best[i] == kSettled) {
            return;
        }
        std::uint32_t root = loadFresh(&components.joined[i]);
        if (root == i) {
            components.best[i] = EdgeKey::kNone;
            return;
        }
        while (true) {
            const std::uint32_t next = loadFresh(&components.joined[root]);
            if (next == root) {
                break;
            }
            root = next;
            storeFresh(&components.joined[i], root);
        }
        components.best[i] = kSettled;
    }
};

/// As SettleComponents, for the ends of the edges alone: no other component is read before all are joined. One thread
/// per edge.
struct SettleEnds {
    EdgeList edges;
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const SettleComponents settle{components};
        settle(edges.one[i]);
        settle(edges.other[i]);
    }
};

/// Moves the edges that still connect two components to the next round, and proposes them. One thread per edge.
struct CarryEdges {
    EdgeList edges;
    EdgeList carried;
    std::uint32_t* carriedCount; ///< 0 at the start
    FrozenComponents components;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t one = components.joined[edges.one[i]];
        const std::uint32_t other = components.joined[edges.other[i]];
        if (one == other) {
            return;
        }
        const std::uint64_t key = edges.key[i];
        const std::uint32_t place = takePlace(carriedCount);
        carried.one[place] = one;
        carried.other[place] = other;
        carried.key[place] = key;
        raiseTo(&components.best[one], key);
        raiseTo(&components.best[other], key);
    }
};

/// All remaining rounds, in one block.
template <std::uint32_t kThreads_> struct JoinRemaining {
    struct Shape {
        static constexpr std::uint32_t kThreads = kThreads_;
    };
    struct Memory {
        std::uint32_t left[2]; ///< number of edges in even and in odd rounds
    };
    /// More edges are faster in kernels of their own.
    static constexpr std::uint32_t kMostEdges = 16 * Shape::kThreads;

    EdgeList edges;
    EdgeList others; ///< second buffer of equal size
    std::uint32_t count;
    FrozenComponents components;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        EdgeList now = edges;
        EdgeList next = others;
        std::uint32_t left = count;
        for (std::uint32_t round = 0; left > 0; ++round) {
            std::uint32_t* const carried = &memory.left[round % 2];
            if (threadOfBlock() == 0) {
                *carried = 0;
            }
            forEach(left, HookComponents{now, components});
            forEach(left, SettleEnds{now, components});
            forEach(left, CarryEdges{now, next, carried, components});
            left = *carried;
            const EdgeList done = now;
            now = next;
            next = done;
        }
    }

private:
    /// step(i) for every i < count, then a barrier of the block.
    template <class Step> POLLARD_DEVICE static void forEach(std::uint32_t count, const Step& step) {
        for (std::uint32_t i = threadOfBlock(); i < count; i += Shape::kThreads) {
            step(i);
        }
        meetThreads();
    }
};

/// Runs all rounds. Afterwards each component but one of each tree has its hook, and `joined` leads along components
/// that were roots after later and later rounds.
/// @tparam kThreads of the block that runs the last rounds
/// @param others second buffer of equal size
/// @param counts counts->edges[0] is @p count, all later ones are 0
template <std::uint32_t kThreads, class Machine>
void joinComponents(Machine& machine, const EdgeList& edges, const EdgeList& others, std::uint32_t count,
                    BranchCounts* counts, const FrozenComponents& components, std::uint32_t componentCount) {
    /// Rounds between two reads of the number of remaining edges: a read costs as much as a round.
    constexpr std::uint32_t kRoundsAtOnce = 4;
    using Rest = JoinRemaining<kThreads>;
    machine.each(IsolateComponents{components}, componentCount);
    if (count == 0) {
        return;
    }
    EdgeList now = edges;
    EdgeList next = others;
    machine.each(ProposeEdges{now, components}, count);
    std::uint32_t left = count;
    for (std::uint32_t round = 0; left > Rest::kMostEdges && round < BranchCounts::kMostRounds;) {
        const std::uint32_t end = std::min(round + kRoundsAtOnce, BranchCounts::kMostRounds);
        for (; round < end; ++round) {
            const std::uint32_t* const carried = &counts->edges[round];
            machine.eachOf(HookComponents{now, components}, carried, left);
            machine.each(SettleComponents{components}, componentCount);
            machine.eachOf(CarryEdges{now, next, &counts->edges[round + 1], components}, carried, left);
            std::swap(now, next);
        }
        machine.readBack(&left, &counts->edges[round]);
    }
    machine.tiles(Rest{now, next, left, components}, 1);
}

} // namespace pollard::cuda
