#pragma once

#include "cuda/device/host_device.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

// Passes from the leaves to the root in a number of rounds that does not depend on the height of the tree.
//
// The rank of a node is floor(log2(size of its subtree in nodes)). Two children of a node cannot both have its rank,
// since together they would have too many nodes, so the nodes of one rank form paths towards the root, and all other
// subtrees of a path's nodes have smaller ranks. In preorder no other node of the rank lies between two neighbours of a
// path. Sorted by rank and then by falling number, each path is contiguous, bottom first, and one scan climbs all paths
// of a rank. There are at most 32 ranks.

namespace pollard::cuda {

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
