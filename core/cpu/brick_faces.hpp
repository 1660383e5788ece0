#pragma once

#include "cpu/tile_grid.hpp"
#include "tree/component_tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

namespace brick {

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

struct Step {
    int x;
    int y;
    int z;
};
/// Diagonals towards later voxels: along a face, then through a cube.
inline constexpr std::array<Step, 10> kDiagonals{{{1, 1, 0},
                                                  {-1, 1, 0},
                                                  {1, 0, 1},
                                                  {-1, 0, 1},
                                                  {0, 1, 1},
                                                  {0, -1, 1},
                                                  {1, 1, 1},
                                                  {-1, 1, 1},
                                                  {1, -1, 1},
                                                  {-1, -1, 1}}};

/// The diagonal edges from a brick to others in one direction.
template <class Level, class Visit>
void forEachDiagonalEdge(const TileGrid& grid, const Tile& tile, const Step& step, Level&& level, Visit&& visit) {
    const auto lineStep = static_cast<std::ptrdiff_t>(grid.extent.width);
    const auto sliceStep = static_cast<std::ptrdiff_t>(grid.extent.slicePixels());
    const std::ptrdiff_t alongX = step.x;
    const std::ptrdiff_t alongY = step.y * lineStep;
    const std::ptrdiff_t alongZ = step.z * sliceStep;
    const auto leaves = [](int by, std::uint32_t at, std::uint32_t side) {
        return by > 0 ? at + 1 == side : by < 0 && at == 0;
    };
    const auto isInside = [](int by, std::uint32_t start, std::uint32_t at, std::uint32_t side) {
        return by == 0 || (by > 0 ? start + at + 1 < side : start + at > 0);
    };
    const auto at = [&](std::size_t pixel, std::ptrdiff_t offset) -> std::uint32_t {
        return level(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(pixel) + offset));
    };
    const auto visitPixel = [&](std::size_t p) {
        const std::ptrdiff_t end = alongX + alongY + alongZ;
        const std::uint32_t m = std::min<std::uint32_t>(level(p), at(p, end));
        // The other voxels of the bounding box; those of a face occur twice.
        const std::array<std::ptrdiff_t, 6> others{alongX,          alongY,          alongZ,
                                                   alongX + alongY, alongX + alongZ, alongY + alongZ};
        for (const std::ptrdiff_t other : others) {
            if (other != 0 && other != end && at(p, other) >= m) {
                return;
            }
        }
        visit(p, static_cast<std::size_t>(static_cast<std::ptrdiff_t>(p) + end), m);
    };
    for (std::uint32_t z = 0; z < tile.slices; ++z) {
        if (!isInside(step.z, tile.z0, z, grid.extent.slices)) {
            continue;
        }
        for (std::uint32_t y = 0; y < tile.height; ++y) {
            if (!isInside(step.y, tile.y0, y, grid.extent.height)) {
                continue;
            }
            const std::size_t row =
                (std::size_t{tile.z0 + z} * grid.extent.height + tile.y0 + y) * grid.extent.width + tile.x0;
            if (leaves(step.z, z, tile.slices) || leaves(step.y, y, tile.height)) {
                for (std::uint32_t x = 0; x < tile.width; ++x) {
                    if (isInside(step.x, tile.x0, x, grid.extent.width)) {
                        visitPixel(row + x);
                    }
                }
            } else if (step.x != 0) {
                const std::uint32_t x = step.x > 0 ? tile.width - 1 : 0;
                if (isInside(step.x, tile.x0, x, grid.extent.width)) {
                    visitPixel(row + x);
                }
            }
        }
    }
}

} // namespace brick

/// Visits the edges between a brick and others that may affect the tree, each pair of bricks once, as `visit(p, q,
/// level)` with pixel indices and the lower of both levels. Skips edges whose connection other edges provide at the
/// same or a higher level:
/// - a straight edge beside one between the same two bricks with a higher minimum (at a tie the last stays),
/// - a diagonal with another voxel of its bounding box that reaches its minimum.
/// @param level callable: pixel index -> level in the order of the tree
template <Connectivity kConnectivity, class Level, class Visit>
void forEachFaceEdge(const TileGrid& grid, std::size_t index, Level&& level, Visit&& visit) {
    const Tile tile = grid.tile(index);
    for (int axis = 0; axis < 3; ++axis) {
        brick::forEachStraightEdge<kConnectivity == Connectivity::six>(grid, tile, axis, level, visit);
    }
    constexpr std::size_t kCount = kConnectivity == Connectivity::six        ? 0
                                   : kConnectivity == Connectivity::eighteen ? 6
                                                                             : 10;
    for (std::size_t k = 0; k < kCount; ++k) {
        brick::forEachDiagonalEdge(grid, tile, brick::kDiagonals[k], level, visit);
    }
}

} // namespace pollard::cpu
