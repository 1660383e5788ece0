#pragma once

#include "cuda/snake/block_contour.hpp"
#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_work.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Device memory in which blocks work on contours, one at a time each. It holds nothing from one kernel to the next,
/// so that it is needed once a block and not once a contour.
struct ApartTables {
    RegionSums* edges;       ///< as in SnakeTeamMemory, of every block
    RegionSums* candidates;  ///< the same
    SnakePick* picks;        ///< the same
    std::int32_t* marks;     ///< the same
    unsigned char* contours; ///< a BlockContour for every block; null: in shared memory
    std::uint32_t capacity;  ///< nodes
    std::uint32_t steps;     ///< lengths of steps that a contour may have

    /// Numbers of elements, and bytes, of one block.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t candidatesOf(std::size_t capacity,
                                                                                std::uint32_t steps) noexcept {
        return std::size_t{kEdgesOfNode} * steps * capacity;
    }
    /// @param inShared contours are in shared memory
    [[nodiscard]] static constexpr std::uint64_t bytesOf(std::size_t capacity, std::uint32_t steps,
                                                         bool inShared) noexcept {
        return (capacity + candidatesOf(capacity, steps)) * sizeof(RegionSums) +
               SnakeTeamMemory::picksOf(capacity, steps) * sizeof(SnakePick) + capacity * sizeof(std::int32_t) +
               (inShared ? 0 : BlockContour::bytes(capacity));
    }

    /// What a block works in with a contour.
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
