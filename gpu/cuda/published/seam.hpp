#pragma once

#include "cuda/device/levels.hpp"
#include "cuda/published/image_tiling.hpp"
#include "cuda/published/kept_edges.hpp"

#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

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
    std::uint32_t v;     ///< pixel below or right of it
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
