#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Side of the square tiles, px. 64 x 64 keeps the working set of a tile in the first-level cache, and a
/// tile-local pixel, run or branch number in 16 bits.
inline constexpr std::uint32_t kTileSide = 64;

struct Tile {
    std::uint32_t x0 = 0;
    std::uint32_t y0 = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

/// The image's pixel at y * kTileSide + x of a tile, in an image of @p imageWidth px.
[[nodiscard]] constexpr std::uint32_t pixelOf(std::uint16_t inTile, const Tile& tile,
                                              std::uint32_t imageWidth) noexcept {
    return (tile.y0 + inTile / kTileSide) * imageWidth + tile.x0 + inTile % kTileSide;
}

/// Cuts an image of (height, width) px into tiles, numbered row by row.
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
