#pragma once

#include "cuda/device/host_device.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

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

/// Where each rank begins in the list of nodes, with one more entry for its end.
struct RankStarts {
    std::uint32_t of[kRankCount + 1];
};

/// Where the elements from k on begin among sorted ones, an entry each.
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

/// The nodes of a tree by rank, and in a rank by falling number.
template <class NodeBuffer> struct RankedNodes {
    NodeBuffer nodes;
    RankStarts start{};

    /// Waits for the numbers of nodes of each rank.
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

    /// Nodes of the rank that has most, the leaves apart.
    [[nodiscard]] std::uint32_t mostOfRank() const noexcept {
        std::uint32_t most = 0;
        for (std::size_t k = 1; k < kRankCount; ++k) {
            most = std::max(most, start.of[k + 1] - start.of[k]);
        }
        return most;
    }
};

} // namespace pollard::cuda
