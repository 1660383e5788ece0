#pragma once

#include "base/compiler.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

// Data passed between the passes of the build, in device memory.

namespace pollard::cuda {

/// Counters of the passes.
struct BranchCounts {
    static constexpr std::uint32_t kMostRounds = 32; ///< every round at least halves the number of components

    std::uint32_t closed;                 ///< branches that end within their tile or brick
    std::uint32_t frozen;                 ///< components whose highest edge leaves it
    std::uint32_t edges[kMostRounds + 1]; ///< edges between different frozen components, before each round
};

/// Branches are numbered by frozen components first, then by branches closed in their tiles. Until the number of frozen
/// components is known, pixels have codes: the number in its group, and a bit for the group.
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

/// Output of passes 1 and 2.
struct BranchOutput {
    BranchCounts* counts; ///< 0 at the start
    std::uint32_t* codes; ///< per pixel: the BranchCode known within its tile or brick
    std::uint32_t* closedSaddles;
    EdgeList edges;
};

/// Arrays per frozen component.
struct FrozenComponents {
    std::uint64_t* best;   ///< highest edge that leaves it
    std::uint64_t* hook;   ///< the edge by which it is hooked to another; EdgeKey::kNone before
    std::uint32_t* joined; ///< the representative that it is hooked to; itself before
};

/// Components at the borders of tiles: along the top and bottom row of every row of tiles, and the left and right
/// column of every column of tiles.
struct BorderLabels {
    std::uint32_t* rows;    ///< [2 * tile rows][image width]
    std::uint32_t* columns; ///< [2 * tile columns][image height]
};
static_assert(std::is_trivially_copyable_v<BranchCounts>);

/// Upper bounds of an image's counts, known before the build.
struct BranchCapacity {
    std::uint32_t tileColumns, tileRows; ///< of an image
    std::uint64_t maxima;                ///< in all tiles or bricks
    std::uint64_t frozen;                ///< components
    std::uint64_t edges;                 ///< between them
    std::uint64_t labels;                ///< numbers in all BorderLabels or FaceLabels

    template <class Shape>
    [[nodiscard]] static BranchCapacity of(std::uint32_t width, std::uint32_t height, bool eight) noexcept {
        BranchCapacity all{};
        all.tileColumns = (width + Shape::kWidth - 1) / Shape::kWidth;
        all.tileRows = (height + Shape::kHeight - 1) / Shape::kHeight;
        const std::uint64_t tiles = std::uint64_t{all.tileColumns} * all.tileRows;
        // Two adjacent pixels are never both maxima, so at most every other pixel of a tile is one.
        all.maxima = (std::uint64_t{width} * height + tiles) / 2;
        // Each frozen component contains a maximum, and a pixel at the border of its tile.
        all.frozen = std::min(all.maxima, tiles * Shape::kBorder);
        // A forest within each tile. Across a seam, one straight edge per pair of pixels, and at most one of the two
        // diagonals that cross there.
        const std::uint64_t pairs =
            std::uint64_t{all.tileColumns - 1} * height + std::uint64_t{all.tileRows - 1} * width;
        all.edges = all.frozen + pairs * (eight ? 2 : 1);
        all.labels = 2 * (std::uint64_t{all.tileRows} * width + std::uint64_t{all.tileColumns} * height);
        return all;
    }
};

} // namespace pollard::cuda
