#pragma once

#include "cuda/device/host_device.hpp"
#include "snake/row_counts_view.hpp"
#include "snake/snake_rules.hpp"

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

} // namespace pollard::cuda
