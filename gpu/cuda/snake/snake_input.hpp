#pragma once

#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/row_counts.hpp"
#include "snake/snake_rules.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Input of a contour's evolution, in device memory.
template <class Image> struct SnakeInput {
    Image image;
    SnakeRules rules;
    RowCountsView forbidden;
    std::uint32_t maxStep;
    std::uint32_t minLength;
    std::uint32_t maxNodes;
    std::uint32_t maxRounds;
};

/// The best move of a node. Aligned so that a thread loads it in few accesses.
struct alignas(16) SnakePick {
    std::int32_t place;  ///< negative: none
    std::uint32_t reach; ///< px
    double energy;
    RegionSums to;   ///< sums of the edge from the previous node
    RegionSums from; ///< sums of the edge to the next node

    /// A total order for different nodes.
    [[nodiscard]] POLLARD_HOST_DEVICE static bool isBetter(const SnakePick& a, std::uint32_t nodeA, const SnakePick& b,
                                                           std::uint32_t nodeB) noexcept {
        return a.energy < b.energy || (a.energy == b.energy && nodeA < nodeB);
    }
};

[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t nodeBefore(std::uint32_t i, std::uint32_t count) {
    return (i == 0 ? count : i) - 1;
}
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t nodeAfter(std::uint32_t i, std::uint32_t count) {
    return i + 1 < count ? i + 1 : 0;
}

/// A contour in memory of one block; arrays have one element per node.
struct BlockContour {
    static constexpr std::uint32_t kNone = 0xffff'ffffU;

    RegionSums* edges;   ///< edge i leads from node i to node i + 1
    RegionSums* changes; ///< change of the sums by a node's pick
    double* energies;    ///< after a node's pick
    ContourNode* nodes;
    ContourNode* tried;     ///< nodes after a proposed change
    std::int32_t* places;   ///< of a node's pick; negative: no pick
    std::uint32_t* reaches; ///< of a node's pick, px
    std::uint32_t* rank;    ///< of a node's pick among the moving ones, from 0; kNone: does not move
    std::uint32_t* slots;   ///< of the measurements around the nodes; a permutation of 0 ... count - 1, kept at splits
    std::uint32_t* triedSlots; ///< slots after a proposed split; memory for ranks otherwise
    std::uint32_t* known;      ///< per slot: bit k is set if the measurements for step length k are valid
    std::uint32_t count;
    RegionSums inside;
    double energy;
    std::int64_t length; ///< see fineLength(); 0 if it has no price

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint64_t nodes) noexcept {
        const std::size_t all = nodes * (2 * sizeof(RegionSums) + sizeof(double) + 2 * sizeof(ContourNode) +
                                         sizeof(std::int32_t) + 5 * sizeof(std::uint32_t));
        return (all + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t);
    }
    /// @param memory bytes(capacity), aligned to 8
    [[nodiscard]] POLLARD_HOST_DEVICE static BlockContour in(unsigned char* memory, std::uint64_t capacity) {
        BlockContour contour{};
        contour.edges = reinterpret_cast<RegionSums*>(memory);
        contour.changes = contour.edges + capacity;
        contour.energies = reinterpret_cast<double*>(contour.changes + capacity);
        contour.nodes = reinterpret_cast<ContourNode*>(contour.energies + capacity);
        contour.tried = contour.nodes + capacity;
        contour.places = reinterpret_cast<std::int32_t*>(contour.tried + capacity);
        contour.reaches = reinterpret_cast<std::uint32_t*>(contour.places + capacity);
        contour.rank = contour.reaches + capacity;
        contour.slots = contour.rank + capacity;
        contour.triedSlots = contour.slots + capacity;
        contour.known = contour.triedSlots + capacity;
        return contour;
    }

    /// Stores a node's pick and, if there is one, the change of the sums.
    POLLARD_DEVICE void takePick(std::uint32_t node, const SnakePick& pick) const {
        places[node] = pick.place;
        reaches[node] = pick.reach;
        energies[node] = pick.energy;
        if (pick.place >= 0) {
            changes[node] = pick.to + pick.from - edges[nodeBefore(node, count)] - edges[node];
        }
    }
    /// Change of the length if a node moves.
    [[nodiscard]] POLLARD_DEVICE std::int64_t lengthening(std::uint32_t node, ContourNode place) const {
        const ContourNode from = nodes[nodeBefore(node, count)];
        const ContourNode to = nodes[nodeAfter(node, count)];
        return fineLength(from, place) + fineLength(place, to) - fineLength(from, nodes[node]) -
               fineLength(nodes[node], to);
    }
    /// Invalidates all measurements around the nodes. Called by all @p threads of the block; ends with a barrier.
    POLLARD_DEVICE void forget(std::uint32_t threads) const {
        for (std::uint32_t i = threadOfBlock(); i < count; i += threads) {
            known[i] = 0;
        }
        meetThreads();
    }
    /// Position to which a node's pick moves it.
    [[nodiscard]] POLLARD_DEVICE ContourNode placeOf(std::uint32_t node) const {
        return placeAround(nodes[node], reaches[node], static_cast<std::size_t>(places[node]));
    }
    /// Whether one node's pick is better than another's; a total order.
    [[nodiscard]] POLLARD_DEVICE bool isBetter(std::uint32_t node, std::uint32_t than) const {
        return energies[node] < energies[than] || (energies[node] == energies[than] && node < than);
    }
};

} // namespace pollard::cuda
