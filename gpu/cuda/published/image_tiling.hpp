#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Cuts an image of width x height px into tiles of tileWidth x tileHeight px; the last column and row of tiles may be
/// smaller.
struct ImageTiling {
    std::uint32_t width, height;
    std::uint32_t tileWidth, tileHeight;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t columns() const noexcept {
        return (width + tileWidth - 1) / tileWidth;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rows() const noexcept {
        return (height + tileHeight - 1) / tileHeight;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t pixels() const noexcept { return std::uint64_t{width} * height; }
    /// Number of pixel pairs that face each other across boundaries between vertically adjacent tiles.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t horizontalPairs() const noexcept {
        return std::uint64_t{rows() - 1} * width;
    }
    /// The same for horizontally adjacent tiles.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t verticalPairs() const noexcept {
        return std::uint64_t{columns() - 1} * height;
    }
};
static_assert(std::is_trivially_copyable_v<ImageTiling>);

/// An image in which each tile also has a copy of the first column and row of its right and lower neighbours (Blin et
/// al. 2022, s. 5.3). Cut into tiles of tileWidth x tileHeight, the widened image has the original's pixels once, those
/// next to a boundary twice, and those at a corner four times.
struct HaloLayout {
    std::uint32_t width, height; ///< of the original, px
    std::uint32_t tileWidth, tileHeight;

    /// Side of the widened image for an original side of @p side px.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t widened(std::uint32_t side, std::uint32_t tile) noexcept {
        return side + tilesAlong(side, tile) - 1;
    }
    /// First position of column or row @p at in the widened image.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t toHalo(std::uint32_t at, std::uint32_t side,
                                                                  std::uint32_t tile) noexcept {
        const std::uint32_t own = at / (tile - 1);
        const std::uint32_t last = tilesAlong(side, tile) - 1;
        const std::uint32_t t = own < last ? own : last;
        return t * tile + (at - t * (tile - 1));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t fromHalo(std::uint32_t at, std::uint32_t tile) noexcept {
        return at / tile * (tile - 1) + at % tile;
    }

    [[nodiscard]] POLLARD_HOST_DEVICE ImageTiling tiles() const noexcept {
        return {widened(width, tileWidth), widened(height, tileHeight), tileWidth, tileHeight};
    }
    /// Index of an original pixel in the widened image.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t toHalo(std::uint32_t pixel) const noexcept {
        return toHalo(pixel / width, height, tileHeight) * widened(width, tileWidth) +
               toHalo(pixel % width, width, tileWidth);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t fromHalo(std::uint32_t pixel) const noexcept {
        const std::uint32_t wide = widened(width, tileWidth);
        return fromHalo(pixel / wide, tileHeight) * width + fromHalo(pixel % wide, tileWidth);
    }

private:
    /// Each tile adds tile - 1 columns; the last one may add one more.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t tilesAlong(std::uint32_t side, std::uint32_t tile) noexcept {
        return side <= tile ? 1 : (side - 2) / (tile - 1) + 1;
    }
};
static_assert(std::is_trivially_copyable_v<HaloLayout>);

} // namespace pollard::cuda
