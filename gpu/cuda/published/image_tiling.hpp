#pragma once

#include "base/compiler.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/published/kept_edges.hpp"

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
    /// Number of pixel pairs that face each other across boundaries between horizontally adjacent tiles.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t verticalPairs() const noexcept {
        return std::uint64_t{columns() - 1} * height;
    }
};
static_assert(std::is_trivially_copyable_v<ImageTiling>);

/// An image in which each tile also has a copy of the first column and row of its right and lower neighbours (Blin et
/// al. 2022, s. 5.3). Cut into tiles of tileWidth x tileHeight, the widened image has a pixel of the original once,
/// twice next to a boundary, and four times at a corner.
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

/// All boundaries of one direction between the tiles of a layout, as numbered positions.
struct SeamPositions {
    ImageTiling layout;
    bool horizontal; ///< between vertically adjacent tiles, else between horizontally adjacent ones
    /// Also join diagonal pixels across the corner of four tiles (8-connectivity). No boundary contains them, so none
    /// of their edges may be omitted.
    bool corners;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t count() const noexcept {
        return horizontal ? layout.horizontalPairs() : layout.verticalPairs();
    }
};
static_assert(std::is_trivially_copyable_v<SeamPositions>);

/// One position of a seam.
struct SeamPosition {
    std::uint32_t u;     ///< pixel above or left of the boundary
    std::uint32_t v;     ///< pixel below or right of the boundary
    std::uint32_t along; ///< index step from one position to the next along the boundary
    std::uint32_t kept;  ///< set of BoundaryEdge to join
};

/// Computes position @p number of a seam and the edges to join there.
template <class Level>
[[nodiscard]] POLLARD_HOST_DEVICE SeamPosition lookAtSeam(const LevelView<Level>& image, const SeamPositions& seam,
                                                          BoundaryRule rule, std::uint64_t number) noexcept {
    const ImageTiling& layout = seam.layout;
    const std::uint32_t length = seam.horizontal ? layout.width : layout.height;
    const std::uint32_t tile = seam.horizontal ? layout.tileWidth : layout.tileHeight;
    const auto boundary = static_cast<std::uint32_t>(number / length) + 1;
    const auto k = static_cast<std::uint32_t>(number % length);
    SeamPosition at;
    std::uint32_t across;
    if (seam.horizontal) {
        across = layout.width;
        at.along = 1;
        at.v = boundary * layout.tileHeight * layout.width + k;
    } else {
        across = 1;
        at.along = layout.width;
        at.v = k * layout.width + boundary * layout.tileWidth;
    }
    at.u = at.v - across;

    BoundaryWindow window{};
    window.hasBefore = k % tile != 0;
    window.hasAfter = (k + 1) % tile != 0 && k + 1 < length;
    if (rule.simplify) {
        window.u = image[at.u];
        window.v = image[at.v];
        if (window.hasBefore) {
            window.uBefore = image[at.u - at.along];
            window.vBefore = image[at.v - at.along];
        }
        if (window.hasAfter) {
            window.uAfter = image[at.u + at.along];
            window.vAfter = image[at.v + at.along];
        }
    }
    at.kept = keptEdges(window, rule);
    if (seam.corners && k > 0 && !window.hasBefore) {
        at.kept |= kForward | kBackward;
    }
    return at;
}

/// The ends of one edge of a position; takes it out of the set.
struct EdgeEnds {
    std::uint32_t u, v;
};
[[nodiscard]] POLLARD_HOST_DEVICE inline EdgeEnds takeEdge(SeamPosition& at) noexcept {
    if (at.kept & kStraight) {
        at.kept &= ~std::uint32_t{kStraight};
        return {at.u, at.v};
    }
    if (at.kept & kForward) {
        at.kept &= ~std::uint32_t{kForward};
        return {at.u - at.along, at.v};
    }
    at.kept &= ~std::uint32_t{kBackward};
    return {at.u, at.v - at.along};
}

} // namespace pollard::cuda
