#pragma once

#include "base/compiler.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Views of the arrays of a tree in host or device memory.
struct NodePlan {
    const std::uint32_t* pixelNode;
    const std::uint32_t* parent;
    const std::uint32_t* subtreeEnd;
    const std::uint32_t* canonical;
    const std::uint16_t* level;
    std::uint32_t nodeCount;
    std::uint32_t width;  ///< px
    std::uint32_t height; ///< px; of a volume the rows of all slices
    TreeKind kind;
    Connectivity connectivity;
    PixelType pixelType;
    std::uint16_t stabilityDelta = 0; ///< levels; 0: defaultStabilityDelta()

    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t pixelCount() const noexcept { return std::size_t{width} * height; }

    /// The level in the order of a max-tree, where children have higher levels than their parent.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint16_t rising(std::size_t node) const noexcept {
        return kind == TreeKind::max ? level[node] : static_cast<std::uint16_t>(~level[node]);
    }
    /// Absolute difference of two levels.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint16_t distance(std::uint16_t a, std::uint16_t b) noexcept {
        return static_cast<std::uint16_t>(a > b ? a - b : b - a);
    }
};

/// Sums over components from an exclusive prefix sum over the nodes: before[v] is the sum of the nodes' own values
/// below number v. Arithmetic is modulo 2^bits of T.
template <class T> struct ComponentSum {
    using Value = T;
    const std::uint32_t* subtreeEnd;
    const T* before; ///< nodes + 1

    [[nodiscard]] POLLARD_HOST_DEVICE T operator()(std::size_t node) const noexcept {
        return static_cast<T>(before[subtreeEnd[node]] - before[node]);
    }
    /// The node's own value, without its descendants.
    [[nodiscard]] POLLARD_HOST_DEVICE T own(std::size_t node) const noexcept {
        return static_cast<T>(before[node + 1] - before[node]);
    }
};

// Passes from the leaves to the root in a number of rounds that does not depend on the height of the tree.
//
// The rank of a node is floor(log2(size of its subtree in nodes)). Two children of a node cannot both have its rank,
// since together they would have too many nodes, so the nodes of one rank form paths towards the root, and all other
// subtrees of a path's nodes have smaller ranks. In preorder no other node of the rank lies between two neighbours of a
// path. Sorted by rank and then by falling number, each path is contiguous, bottom first, and one scan climbs all paths
// of a rank. There are at most 32 ranks.

inline constexpr std::size_t kRankCount = 32;
inline constexpr int kRankBits = 5;

/// Key and value for a stable sort by rank, then by falling number.
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

/// First index of each rank in the list of nodes, and one more entry for the end.
struct RankStarts {
    std::uint32_t of[kRankCount + 1];
};

/// Writes for each k the index of the first element >= k among sorted ones.
struct FindStarts {
    const std::uint32_t* sorted;
    std::uint32_t count;
    std::uint32_t* starts;

    POLLARD_HOST_DEVICE void operator()(std::size_t k) const noexcept {
        std::uint32_t begin = 0;
        for (std::uint32_t end = count; begin < end;) {
            const std::uint32_t middle = begin + (end - begin) / 2;
            if (sorted[middle] < k) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        starts[k] = begin;
    }
};

/// The nodes of a tree sorted by rank, then by falling number.
template <class NodeBuffer> struct RankedNodes {
    NodeBuffer nodes;
    RankStarts start{};

    /// Waits for the counts of the ranks.
    template <class Machine>
    [[nodiscard]] static RankedNodes make(Machine& machine, const std::uint32_t* subtreeEnd, std::uint32_t nodeCount) {
        auto rank = machine.template make<std::uint32_t>(nodeCount, "ranks");
        RankedNodes ranked{machine.template make<std::uint32_t>(nodeCount, "ranks"), {}};
        machine.each(RankNodes{subtreeEnd, nodeCount, rank.data(), ranked.nodes.data()}, nodeCount);
        machine.sortByKey(rank, ranked.nodes, kRankBits);
        auto starts = machine.template make<std::uint32_t>(kRankCount + 1, "ranks");
        machine.each(FindStarts{rank.data(), nodeCount, starts.data()}, kRankCount + 1);
        machine.readBack(static_cast<std::uint32_t*>(ranked.start.of), starts.data(), kRankCount + 1);
        return ranked;
    }

    /// Size of the largest rank, leaves excluded.
    [[nodiscard]] std::uint32_t mostOfRank() const noexcept {
        std::uint32_t most = 0;
        for (std::size_t k = 1; k < kRankCount; ++k) {
            most = std::max(most, start.of[k + 1] - start.of[k]);
        }
        return most;
    }
};

} // namespace pollard::cuda
