#pragma once

#include "cpu/tile_grid.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace pollard::cpu {

/// The levels of a tile and, for every pixel, its edges to pixels before it in the order (descending level, raster)
/// that a max-tree needs.
///
/// An edge connects its ends at the lower of their levels. Order all edges by that level, equal ones by a fixed rule:
/// where edges form a cycle, the last of the cycle connects nothing that the others have not connected before. It can
/// be left out, of all cycles at once. The four edges between 2 x 2 pixels are such a cycle; one of them goes, and of
/// the two edges per pixel of a picture hardly more than one remains. With 8-connectivity a diagonal is the last of a
/// triangle unless both cross pixels are lower than its ends.
class TileEdges {
public:
    /// Levels of row @p y of the tile, to be filled in before choose().
    [[nodiscard]] std::uint16_t* row(std::uint32_t y) noexcept { return level_.data() + kFrame + y * kTileSide; }
    /// @param pixel y * kTileSide + x
    [[nodiscard]] std::uint16_t level(std::uint32_t pixel) const noexcept { return level_[kFrame + pixel]; }

    /// Finds the edges of a tile of @p tile.width x @p tile.height px whose levels are there.
    template <bool kEight> void choose(const Tile& tile) noexcept;

    /// Edges of @p pixel, a bit each; step() says where they lead.
    [[nodiscard]] std::uint32_t kept(std::uint32_t pixel) const noexcept { return kept_[pixel]; }
    /// What to add to a pixel's number to get to the other end of the first of some edges; 0 if there are none.
    [[nodiscard]] static std::uint32_t step(std::uint32_t edges) noexcept {
        return static_cast<std::uint32_t>(
            std::int32_t{kSteps[static_cast<unsigned>(std::countr_zero(edges | kNoEdge))]});
    }

private:
    static constexpr auto kRow = static_cast<std::int8_t>(kTileSide);
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
    static constexpr std::uint32_t kPixels = kTileSide * kTileSide;
    static constexpr std::uint32_t kFrame = 8; ///< before and after the levels: neighbours of edges that are not used

    std::array<std::uint16_t, kFrame + kPixels + kFrame> level_{};
    std::array<std::uint8_t, kPixels> kept_{};
};

} // namespace pollard::cpu
