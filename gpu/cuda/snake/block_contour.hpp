#pragma once

#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/snake/snake_input.hpp"
#include "snake/contour/contour.hpp"
#include "snake/place_steps.hpp"
#include "snake/region_sums.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t nodeBefore(std::uint32_t i, std::uint32_t count) {
    return (i == 0 ? count : i) - 1;
}
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t nodeAfter(std::uint32_t i, std::uint32_t count) {
    return i + 1 < count ? i + 1 : 0;
}

/// A contour in memory that one block alone uses; arrays have a place for every node.
struct BlockContour {
    static constexpr std::uint32_t kNone = 0xffff'ffffU;

    RegionSums* edges;   ///< edge i leads from node i to the next
    RegionSums* changes; ///< what a node's pick would add
    double* energies;    ///< of a node's pick
    ContourNode* nodes;
    ContourNode* tried;     ///< nodes after a change that may not come
    std::int32_t* places;   ///< of a node's pick; negative: none
    std::uint32_t* reaches; ///< of a node's pick, px
    std::uint32_t* rank;    ///< of a node's pick among those that move, from 0 on; kNone: it stays
    std::uint32_t* slots;   ///< of what is measured around the nodes; 0 to count - 1 in any order, kept at splits
    std::uint32_t* triedSlots;
    std::uint32_t* known; ///< of a slot: for which lengths of steps it holds what was measured, a bit each
    std::uint32_t count;
    RegionSums inside;
    double energy;

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

    /// Notes what a node's pick is and would add, if there is one.
    POLLARD_DEVICE void takePick(std::uint32_t node, const SnakePick& pick) const {
        places[node] = pick.place;
        reaches[node] = pick.reach;
        energies[node] = pick.energy;
        if (pick.place >= 0) {
            changes[node] = pick.to + pick.from - edges[nodeBefore(node, count)] - edges[node];
        }
    }
    /// Nothing that was measured around the nodes holds any longer. All @p threads of the block call this.
    POLLARD_DEVICE void forget(std::uint32_t threads) const {
        for (std::uint32_t i = threadOfBlock(); i < count; i += threads) {
            known[i] = 0;
        }
        meetThreads();
    }
    /// Where a node's pick leads it.
    [[nodiscard]] POLLARD_DEVICE ContourNode placeOf(std::uint32_t node) const {
        return placeAround(nodes[node], reaches[node], static_cast<std::size_t>(places[node]));
    }
    /// Whether a node's pick is better than another's; a total order.
    [[nodiscard]] POLLARD_DEVICE bool isBetter(std::uint32_t node, std::uint32_t than) const {
        return energies[node] < energies[than] || (energies[node] == energies[than] && node < than);
    }
};

} // namespace pollard::cuda
