#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>
#include <type_traits>

// What the passes of the build hand to each other. Everything is in device memory.

namespace pollard::cuda {

/// How many of what there are, as the passes find out.
struct BranchCounts {
    static constexpr std::uint32_t kMostRounds = 32; ///< every round at least halves the number of components

    std::uint32_t closed;                 ///< branches that end within their tile
    std::uint32_t frozen;                 ///< components whose next edge leaves their tile
    std::uint32_t edges[kMostRounds + 1]; ///< between frozen components that differ, before each round
};

/// A branch has the number of its frozen component, or behind all of these, that of a branch closed in its tile. While
/// it is not known how many there are of the former, pixels have codes: the number, and a bit that tells which.
struct BranchCode {
    static constexpr std::uint32_t kFrozenBit = 0x8000'0000;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t frozen(std::uint32_t number) noexcept {
        return kFrozenBit | number;
    }
};

/// Edges between frozen components, in any order.
struct EdgeList {
    std::uint32_t* one;
    std::uint32_t* other;
    std::uint64_t* key; ///< EdgeKey
};

/// Per frozen component.
struct FrozenComponents {
    std::uint64_t* best;   ///< the highest edge that leaves it
    std::uint64_t* hook;   ///< the edge by which it was joined to another, EdgeKey::kNone before
    std::uint32_t* joined; ///< the representative that it was joined to; itself before
};

/// Components at the borders of the tiles: of the top and bottom row of every row of tiles, and of the left and right
/// column of every column of tiles.
struct BorderLabels {
    std::uint32_t* rows;    ///< [2 * tile rows][image width]
    std::uint32_t* columns; ///< [2 * tile columns][image height]
};
static_assert(std::is_trivially_copyable_v<BranchCounts>);

} // namespace pollard::cuda
