#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Side of the square tiles, px. With 64 x 64 the working set of a tile fits the L1 cache, and pixels, runs and
/// branches of a tile have 16-bit indices.
inline constexpr std::uint32_t kTileSide = 64;

struct Tile {
    std::uint32_t x0 = 0;
    std::uint32_t y0 = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// Image index, for a width of @p imageWidth px, of the tile's pixel @p inTile = y * kTileSide + x.
[[nodiscard]] constexpr std::uint32_t pixelOf(std::uint16_t inTile, const Tile& tile,
                                              std::uint32_t imageWidth) noexcept {
    return (tile.y0 + inTile / kTileSide) * imageWidth + tile.x0 + inTile % kTileSide;
}

/// Division of an image of shape (height, width) into tiles, numbered row by row.
struct TileGrid {
    std::uint32_t width;
    std::uint32_t height;

    [[nodiscard]] std::uint32_t columns() const noexcept { return (width - 1) / kTileSide + 1; }
    [[nodiscard]] std::uint32_t rows() const noexcept { return (height - 1) / kTileSide + 1; }
    [[nodiscard]] std::size_t count() const noexcept { return std::size_t{columns()} * rows(); }
    [[nodiscard]] Tile tile(std::size_t index) const noexcept {
        const auto x0 = static_cast<std::uint32_t>(index % columns()) * kTileSide;
        const auto y0 = static_cast<std::uint32_t>(index / columns()) * kTileSide;
        return {x0, y0, std::min(kTileSide, width - x0), std::min(kTileSide, height - y0)};
    }
};

} // namespace pollard::cpu
