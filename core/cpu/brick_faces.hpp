#pragma once

#include "cpu/tile_grid.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

namespace brick {

inline constexpr std::uint32_t kNever = 0xffff'ffff;

/// The straight edges from a brick to the next one along an axis.
template <bool kSixOnly, class Level, class Visit>
void forEachStraightEdge(const TileGrid& grid, const Tile& tile, int axis, Level&& level, Visit&& visit) {
    const std::array<std::size_t, 3> steps{1, grid.extent.width, grid.extent.slicePixels()};
    const std::array<std::uint32_t, 3> sides{tile.width, tile.height, tile.slices};
    const std::array<std::uint32_t, 3> start{tile.x0, tile.y0, tile.z0};
    const std::array<std::uint32_t, 3> image{grid.extent.width, grid.extent.height, grid.extent.slices};
    if (start[axis] + sides[axis] == image[axis]) {
        return;
    }
    const int u = axis == 0 ? 1 : 0;
    const int w = axis == 2 ? 1 : 2;
    const std::size_t corner = tile.z0 * steps[2] + tile.y0 * steps[1] + tile.x0 + (sides[axis] - 1) * steps[axis];
    // With a frame of zeros, below which is no level.
    constexpr std::size_t kPitch = 18;
    std::array<std::uint32_t, kPitch * kPitch> low{};
    for (std::uint32_t j = 0; j < sides[w]; ++j) {
        for (std::uint32_t i = 0; i < sides[u]; ++i) {
            const std::size_t p = corner + i * steps[u] + j * steps[w];
            low[(j + 1) * kPitch + i + 1] = 1 + std::min<std::uint32_t>(level(p), level(p + steps[axis]));
        }
    }
    for (std::uint32_t j = 0; j < sides[w]; ++j) {
        for (std::uint32_t i = 0; i < sides[u]; ++i) {
            const std::uint32_t* const here = &low[(j + 1) * kPitch + i + 1];
            const std::uint32_t m = *here;
            bool isNeeded = here[-1] <= m && here[1] < m && *(here - kPitch) <= m && here[kPitch] < m;
            if constexpr (!kSixOnly) {
                isNeeded = isNeeded && *(here - kPitch - 1) <= m && *(here - kPitch + 1) <= m && here[kPitch - 1] < m &&
                           here[kPitch + 1] < m;
            }
            if (isNeeded) {
                const std::size_t p = corner + i * steps[u] + j * steps[w];
                visit(p, p + steps[axis], m - 1);
            }
        }
    }
}

/// Calls `visit(first voxel)` for the boxes of unit sides along some axes that have their first voxel in a brick, reach
/// beyond it and are in the image.
template <class Visit>
void forEachBoxAcross(const TileGrid& grid, const Tile& tile, const std::array<bool, 3>& axes, Visit&& visit) {
    const std::array<std::uint32_t, 3> start{tile.x0, tile.y0, tile.z0};
    const std::array<std::uint32_t, 3> sides{tile.width, tile.height, tile.slices};
    const std::array<std::uint32_t, 3> image{grid.extent.width, grid.extent.height, grid.extent.slices};
    std::array<std::uint32_t, 3> end{};                        // of the first voxels, in the brick
    std::array<std::uint32_t, 3> last{kNever, kNever, kNever}; // from which a box reaches beyond the brick
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool isLast = start[axis] + sides[axis] == image[axis];
        end[axis] = sides[axis] - (axes[axis] && isLast ? 1 : 0);
        last[axis] = axes[axis] && !isLast ? sides[axis] - 1 : kNever;
    }
    for (std::uint32_t z = 0; z < end[2]; ++z) {
        for (std::uint32_t y = 0; y < end[1]; ++y) {
            const std::size_t row =
                (std::size_t{tile.z0 + z} * grid.extent.height + tile.y0 + y) * grid.extent.width + tile.x0;
            const std::uint32_t from = z == last[2] || y == last[1] ? 0 : std::min(last[0], end[0]);
            for (std::uint32_t x = from; x < end[0]; ++x) {
                visit(row + x);
            }
        }
    }
}

/// Visits the diagonal of a square that no shorter edges replace, if there is one.
template <class Level, class Visit>
void visitDiagonalOfSquare(std::size_t p, std::size_t a, std::size_t b, Level&& level, Visit&& visit) {
    const std::uint32_t rising = std::min<std::uint32_t>(level(p), level(p + a + b));
    const std::uint32_t falling = std::min<std::uint32_t>(level(p + a), level(p + b));
    if (std::max<std::uint32_t>(level(p + a), level(p + b)) < rising) {
        visit(p, p + a + b, rising);
    } else if (std::max<std::uint32_t>(level(p), level(p + a + b)) < falling) {
        visit(p + a, p + b, falling);
    }
}

/// The same of a cube. @param steps to the next voxel along each axis
template <class Level, class Visit>
void visitDiagonalOfCube(std::size_t p, const std::array<std::size_t, 3>& steps, Level&& level, Visit&& visit) {
    const std::array<std::size_t, 4> from{p, p + steps[0], p + steps[1], p + steps[0] + steps[1]};
    std::array<std::uint32_t, 4> low;
    std::array<std::uint32_t, 4> high;
    for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t a = level(from[k]);
        const std::uint32_t b = level(from[3 - k] + steps[2]);
        low[k] = std::min(a, b);
        high[k] = std::max(a, b);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        if (std::max({high[k ^ 1], high[k ^ 2], high[k ^ 3]}) < low[k]) {
            visit(from[k], from[3 - k] + steps[2], low[k]);
        }
    }
}

} // namespace brick

/// Visits the edges between a brick and others that may affect the tree, each once, as `visit(p, q, level)` with pixel
/// indices and the lower of both levels. Skips edges whose connection other edges provide at the same or a higher
/// level:
/// - a straight edge beside one between the same two bricks with a higher minimum (at a tie the last stays),
/// - a diagonal with another voxel of its bounding box that reaches its minimum.
/// @param level callable: pixel index -> level in the order of the tree
template <Connectivity kConnectivity, class Level, class Visit>
void forEachFaceEdge(const TileGrid& grid, std::size_t index, Level&& level, Visit&& visit) {
    const Tile tile = grid.tile(index);
    for (int axis = 0; axis < 3; ++axis) {
        brick::forEachStraightEdge<kConnectivity == Connectivity::six>(grid, tile, axis, level, visit);
    }
    const std::array<std::size_t, 3> steps{1, grid.extent.width, grid.extent.slicePixels()};
    if constexpr (kConnectivity != Connectivity::six) {
        for (std::size_t flat = 0; flat < 3; ++flat) {
            const std::size_t a = steps[flat == 0 ? 1 : 0];
            const std::size_t b = steps[flat == 2 ? 1 : 2];
            brick::forEachBoxAcross(grid, tile, {flat != 0, flat != 1, flat != 2},
                                    [&](std::size_t p) { brick::visitDiagonalOfSquare(p, a, b, level, visit); });
        }
    }
    if constexpr (kConnectivity == Connectivity::twentySix) {
        brick::forEachBoxAcross(grid, tile, {true, true, true},
                                [&](std::size_t p) { brick::visitDiagonalOfCube(p, steps, level, visit); });
    }
}

} // namespace pollard::cpu
