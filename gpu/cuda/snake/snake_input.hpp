#pragma once

#include "cuda/device/host_device.hpp"
#include "snake/row_counts_view.hpp"
#include "snake/snake_rules.hpp"

#include <cstdint>

namespace pollard::cuda {

/// What a contour evolves on and by, in device memory.
template <class Image> struct SnakeInput {
    Image image;
    SnakeRules rules;
    RowCountsView forbidden;
    std::uint32_t maxStep;
    std::uint32_t minLength;
    std::uint32_t maxNodes;
    std::uint32_t maxRounds;
};

/// What the best move of a node would be. Aligned so that a thread reads it in few accesses.
struct alignas(16) SnakePick {
    std::int32_t place;  ///< negative: none
    std::uint32_t reach; ///< px
    double energy;
    RegionSums to;   ///< of the edge from the node before
    RegionSums from; ///< of the edge to the node after

    /// A total order if the nodes are different.
    [[nodiscard]] POLLARD_HOST_DEVICE static bool isBetter(const SnakePick& a, std::uint32_t nodeA, const SnakePick& b,
                                                           std::uint32_t nodeB) noexcept {
        return a.energy < b.energy || (a.energy == b.energy && nodeA < nodeB);
    }
};

} // namespace pollard::cuda
