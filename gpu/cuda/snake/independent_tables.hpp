#pragma once

#include "cuda/snake/block_contour.hpp"
#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_work.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Device memory in which each block works on one contour at a time. Holds nothing between kernels, so it is needed per
/// block and not per contour.
struct IndependentTables {
    RegionSums* edges; ///< as in SnakeTeamMemory, for all blocks; so are the next three
    RegionSums* candidates;
    SnakePick* picks;
    std::int32_t* marks;
    unsigned char* contours; ///< a BlockContour per block; null: in shared memory
    std::uint32_t capacity;  ///< nodes
    std::uint32_t steps;     ///< largest number of step lengths of a contour

    /// Number of candidates of one block.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t candidatesOf(std::size_t capacity,
                                                                                std::uint32_t steps) noexcept {
        return std::size_t{kEdgesOfNode} * steps * capacity;
    }
    /// Bytes of one block. @param inShared contours are in shared memory
    [[nodiscard]] static constexpr std::uint64_t bytesOf(std::size_t capacity, std::uint32_t steps,
                                                         bool inShared) noexcept {
        return (capacity + candidatesOf(capacity, steps)) * sizeof(RegionSums) +
               SnakeTeamMemory::picksOf(capacity, steps) * sizeof(SnakePick) + capacity * sizeof(std::int32_t) +
               (inShared ? 0 : BlockContour::bytes(capacity));
    }

    /// The memory of @p block for a contour.
    [[nodiscard]] POLLARD_DEVICE SnakeTeamMemory of(std::uint32_t block, SnakeProgress* progress,
                                                    ContourNode* nodes) const {
        const std::size_t place = std::size_t{block} * capacity;
        return {progress,      nodes,
                edges + place, candidates + candidatesOf(place, steps),
                nullptr,       picks + SnakeTeamMemory::picksOf(place, steps),
                marks + place, nullptr,
                nullptr,       capacity,
                steps};
    }
};

} // namespace pollard::cuda
