#pragma once

#include "device/host_device.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

// Work from the leaves to the root whose number of rounds does not depend on the height of the tree.
//
// The rank of a node is floor(log2(number of nodes in its component)). Two children of one node cannot both have their
// parent's rank, since together they would have too many nodes, so the nodes of one rank lie on paths that go straight
// up. All that hangs on a path is of smaller rank. In the order of node numbers nothing of the same rank stands between
// two neighbours of a path. So a list of the nodes by rank, and in a rank by falling number, has every path in one
// piece, bottom first, and a scan over it goes up all paths of a rank at once. There are at most 32 ranks.

namespace pollard::cuda {

inline constexpr std::size_t kRankCount = 32;
inline constexpr int kRankBits = 5;

/// Key and value for a stable sort that makes the list.
struct RankNodes {
    const std::uint32_t* subtreeEnd;
    std::uint32_t nodeCount;
    std::uint32_t* rank;
    std::uint32_t* node;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const auto number = static_cast<std::uint32_t>(nodeCount - 1 - i);
        const std::uint32_t size = subtreeEnd[number] - number;
#ifdef __CUDA_ARCH__
        rank[i] = 31U - static_cast<std::uint32_t>(__clz(static_cast<int>(size)));
#else
        rank[i] = 31U - static_cast<std::uint32_t>(std::countl_zero(size));
#endif
        node[i] = number;
    }
};

/// The nodes of a tree by rank, and in a rank by falling number.
template <class NodeBuffer> struct RankedNodes {
    NodeBuffer nodes;
    std::array<std::uint32_t, kRankCount + 1> start{}; ///< of each rank in nodes

    /// Waits for the numbers of nodes of each rank.
    template <class Machine>
    [[nodiscard]] static RankedNodes make(Machine& machine, const std::uint32_t* subtreeEnd, std::uint32_t nodeCount) {
        auto rank = machine.template make<std::uint32_t>(nodeCount, "ranks");
        RankedNodes ranked{machine.template make<std::uint32_t>(nodeCount, "ranks"), {}};
        machine.each(RankNodes{subtreeEnd, nodeCount, rank.data(), ranked.nodes.data()}, nodeCount);
        auto counts = machine.template make<std::uint32_t>(kRankCount, "ranks");
        machine.fill(counts.data(), kRankCount, 0);
        machine.count(rank.data(), nodeCount, counts.data());
        machine.sortByKey(rank, ranked.nodes, kRankBits);
        std::array<std::uint32_t, kRankCount> read{};
        machine.readBack(read.data(), counts.data(), kRankCount);
        for (std::size_t k = 0; k < kRankCount; ++k) {
            ranked.start[k + 1] = ranked.start[k] + read[k];
        }
        return ranked;
    }
};

/// The root is nobody's child.
inline constexpr std::uint32_t kNoChild = 0;

/// The functions of a rank's nodes. A Law has
///  - Value, a function that says how what comes up a path leaves a node, and
///    `static Value join(Value first, Value then)`, which is associative;
///  - `Value of(std::uint32_t node, std::uint32_t child)`, child: the one below on the path, or kNoChild; then the
///    function must ignore what comes;
///  - `void finish(std::uint32_t node, Value joined, bool endsPath)`, given all functions of the path up to the node
///    joined, which may write what is the node's, and pass on (step_atomics.hpp) what is the parent's at a path's end.
template <class Law> struct PathFunctions {
    Law law;
    const std::uint32_t* parent;
    const std::uint32_t* nodes; ///< of the rank
    typename Law::Value* values;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const std::uint32_t node = nodes[i];
        values[i] = law.of(node, i > 0 && parent[nodes[i - 1]] == node ? nodes[i - 1] : kNoChild);
    }
};
template <class Law> struct FinishPaths {
    Law law;
    const std::uint32_t* parent;
    const std::uint32_t* nodes;
    const typename Law::Value* values; ///< joined
    std::uint32_t count;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        const std::uint32_t node = nodes[i];
        law.finish(node, values[i], i + 1 == count || parent[node] != nodes[i + 1]);
    }
};
/// Both at once for the nodes of rank 0, which are the leaves: paths of one node.
template <class Law> struct FinishLeaves {
    Law law;
    const std::uint32_t* nodes;

    POLLARD_HOST_DEVICE void operator()(std::size_t i) const noexcept {
        law.finish(nodes[i], law.of(nodes[i], kNoChild), true);
    }
};

/// Applies a law to all nodes, the children before their parent. Two launches and a scan for each rank that occurs.
template <class Machine, class NodeBuffer, class Law>
void climb(Machine& machine, const RankedNodes<NodeBuffer>& ranked, const std::uint32_t* parent, const Law& law) {
    std::uint32_t most = 1;
    for (std::size_t k = 1; k < kRankCount; ++k) {
        const std::uint32_t count = ranked.start[k + 1] - ranked.start[k];
        most = count > most ? count : most;
    }
    auto values = machine.template make<typename Law::Value>(most, "functions of nodes");
    machine.each(FinishLeaves<Law>{law, ranked.nodes.data()}, ranked.start[1]);
    for (std::size_t k = 1; k < kRankCount; ++k) {
        const std::uint32_t* nodes = ranked.nodes.data() + ranked.start[k];
        if (const std::uint32_t count = ranked.start[k + 1] - ranked.start[k]; count > 0) {
            machine.each(PathFunctions<Law>{law, parent, nodes, values.data()}, count);
            machine.template inclusiveJoin<Law>(values.data(), count);
            machine.each(FinishPaths<Law>{law, parent, nodes, values.data(), count}, count);
        }
    }
}

} // namespace pollard::cuda
