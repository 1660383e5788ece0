#pragma once

#include "image/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Pixels of a whole tile. Its working set fits the L1 cache, and pixels, runs and branches of a tile have 16-bit
/// indices.
inline constexpr std::uint32_t kTilePixels = 4096;

/// Sides of whole tiles as powers of two, with a product of kTilePixels. The pixel (x, y, z) of a tile has the index
/// ((z << yBits) + y << xBits) + x in it, also in a tile that is cut at the border of the image; so the order of the
/// indices is the raster order of the image.
struct TileShape {
    unsigned xBits;
    unsigned yBits;
    unsigned zBits;

    [[nodiscard]] constexpr std::uint32_t width() const noexcept { return 1U << xBits; }
    [[nodiscard]] constexpr std::uint32_t height() const noexcept { return 1U << yBits; }
    [[nodiscard]] constexpr std::uint32_t slices() const noexcept { return 1U << zBits; }
    /// Index of the first pixel of a row.
    [[nodiscard]] constexpr std::uint32_t rowStart(std::uint32_t y, std::uint32_t z) const noexcept {
        return ((z << yBits) + y) << xBits;
    }
    [[nodiscard]] constexpr Voxel voxelAt(std::uint32_t inTile) const noexcept {
        return {inTile & (width() - 1), inTile >> xBits & (height() - 1), inTile >> (xBits + yBits)};
    }
};
inline constexpr TileShape kSquare{6, 6, 0}; ///< 64 x 64 px, for images
inline constexpr TileShape kBrick{4, 4, 4};  ///< 16 x 16 x 16 px, for volumes

/// A tile, or its part inside the image.
struct Tile {
    std::uint32_t x0 = 0;
    std::uint32_t y0 = 0;
    std::uint32_t z0 = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t slices = 1;

    [[nodiscard]] std::uint32_t pixelCount() const noexcept { return width * height * slices; }
};

/// Calls `visit(index in the tile)` with the first pixel of every row of a tile, in raster order.
template <class Visit> void eachRow(const TileShape& shape, const Tile& tile, Visit&& visit) {
    for (std::uint32_t z = 0; z < tile.slices; ++z) {
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            visit(shape.rowStart(y, z));
        }
    }
}

/// Division of an image into tiles, numbered in raster order.
struct TileGrid {
    Extent extent;
    TileShape shape = kSquare;

    [[nodiscard]] static TileGrid of(const Extent& extent) noexcept {
        return {extent, extent.isVolume() ? kBrick : kSquare};
    }
    [[nodiscard]] std::uint32_t columns() const noexcept { return ((extent.width - 1) >> shape.xBits) + 1; }
    [[nodiscard]] std::uint32_t rows() const noexcept { return ((extent.height - 1) >> shape.yBits) + 1; }
    [[nodiscard]] std::uint32_t layers() const noexcept { return ((extent.slices - 1) >> shape.zBits) + 1; }
    [[nodiscard]] std::size_t count() const noexcept { return std::size_t{columns()} * rows() * layers(); }
    [[nodiscard]] Tile tile(std::size_t index) const noexcept {
        const auto x0 = static_cast<std::uint32_t>(index % columns()) << shape.xBits;
        const auto y0 = static_cast<std::uint32_t>(index / columns() % rows()) << shape.yBits;
        const auto z0 = static_cast<std::uint32_t>(index / columns() / rows()) << shape.zBits;
        return {x0,
                y0,
                z0,
                std::min(shape.width(), extent.width - x0),
                std::min(shape.height(), extent.height - y0),
                std::min(shape.slices(), extent.slices - z0)};
    }
    /// The tile of a pixel.
    [[nodiscard]] std::size_t tileAt(const Voxel& pixel) const noexcept {
        return (std::size_t{pixel.z >> shape.zBits} * rows() + (pixel.y >> shape.yBits)) * columns() +
               (pixel.x >> shape.xBits);
    }
    /// Index of a pixel in the image.
    [[nodiscard]] std::uint32_t pixelOf(std::uint32_t inTile, const Tile& tile) const noexcept {
        const Voxel at = shape.voxelAt(inTile);
        return ((tile.z0 + at.z) * extent.height + tile.y0 + at.y) * extent.width + tile.x0 + at.x;
    }
    /// Calls `visit(index in the tile, index in the image)` with the first pixel of every row of a tile.
    template <class Visit> void eachRow(const Tile& tile, Visit&& visit) const {
        for (std::uint32_t z = 0; z < tile.slices; ++z) {
            const std::size_t first = (std::size_t{tile.z0 + z} * extent.height + tile.y0) * extent.width + tile.x0;
            for (std::uint32_t y = 0; y < tile.height; ++y) {
                visit(shape.rowStart(y, z), first + std::size_t{y} * extent.width);
            }
        }
    }
};

} // namespace pollard::cpu
