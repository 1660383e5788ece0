#pragma once

#include "cpu/tile_grid.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace pollard::cpu {

/// The levels of a tile and, for every pixel, the edges to preceding pixels (in descending level, then raster order)
/// that a max-tree needs.
///
/// An edge connects its ends at the lower of their levels. Order all edges by that level, with a fixed rule for ties:
/// in every cycle, the last edge is redundant, simultaneously for all cycles. The four edges between 2 x 2 pixels are
/// such a cycle; dropping one leaves little more than one edge per pixel instead of two. With 8-connectivity a diagonal
/// is the last edge of a triangle unless both cross pixels are lower than its ends.
template <bool kEight> class TileEdges {
public:
    static constexpr TileShape kShape = kSquare;
    /// A pixel and its edges: pixel, other end of the first edge, set of the other edges.
    using Visit = std::uint32_t;

    /// Levels from a pixel on, to be set before choose(). @param pixel index in the tile
    [[nodiscard]] std::uint16_t* levelsFrom(std::uint32_t pixel) noexcept { return level_.data() + kFrame + pixel; }
    [[nodiscard]] std::uint16_t level(std::uint32_t pixel) const noexcept { return level_[kFrame + pixel]; }

    /// Finds the edges of a tile after its levels are set.
    void choose(const Tile& tile) noexcept;

    /// Edges of @p pixel, one bit each; step() returns their direction.
    [[nodiscard]] std::uint32_t kept(std::uint32_t pixel) const noexcept { return kept_[pixel]; }
    /// Offset from a pixel's index to the other end of the first edge in a set; 0 for an empty set.
    [[nodiscard]] static std::uint32_t step(std::uint32_t edges) noexcept {
        return static_cast<std::uint32_t>(
            std::int32_t{kSteps[static_cast<unsigned>(std::countr_zero(edges | kNoEdge))]});
    }

private:
    static constexpr auto kRow = static_cast<std::int8_t>(kShape.width());
    static constexpr std::array<std::int8_t, 9> kSteps = {-kRow,     -1,       1,        kRow, -kRow - 1,
                                                          -kRow + 1, kRow - 1, kRow + 1, 0};
    static constexpr std::uint32_t kUp = 1;
    static constexpr std::uint32_t kLeft = 2;
    static constexpr std::uint32_t kRight = 4;
    static constexpr std::uint32_t kDown = 8;
    static constexpr std::uint32_t kUpLeft = 16;
    static constexpr std::uint32_t kUpRight = 32;
    static constexpr std::uint32_t kDownLeft = 64;
    static constexpr std::uint32_t kDownRight = 128;
    static constexpr std::uint32_t kNoEdge = 256;
    static constexpr std::uint32_t kFrame = 8; ///< padding around the levels, for neighbours across the border

    std::array<std::uint16_t, kFrame + kTilePixels + kFrame> level_{};
    std::array<std::uint8_t, kTilePixels> kept_{};
};

} // namespace pollard::cpu
