#pragma once

#include "cpu/tile_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pollard::cpu {

/// Visits the edges between tile @p index and its right and lower neighbours that may affect the tree, as `visit(p, q,
/// level)` with pixel indices and the lower of both levels. Skips edges whose connection other edges provide at the
/// same or a higher level:
/// - a straight edge next to a straight edge of the same seam with a higher minimum (at a tie the last stays),
/// - a diagonal edge with a cross pixel that reaches its minimum: the straight edge there connects the same.
/// Both rely on edges inside the two tiles, so nothing is compared across a tile corner.
/// @param level callable: pixel index -> level in the order of the tree
template <bool kEight, class Level, class Visit>
void forEachSeamEdge(const TileGrid& grid, std::size_t index, Level&& level, Visit&& visit) {
    const Tile tile = grid.tile(index);
    const std::size_t width = grid.width;
    const auto seam = [&](std::size_t p0, std::size_t q0, std::size_t step, std::uint32_t length) {
        std::uint32_t before = 0;
        bool hasBefore = false;
        std::uint32_t here = std::min<std::uint32_t>(level(p0), level(q0));
        for (std::uint32_t k = 0; k < length; ++k) {
            const std::size_t p = p0 + k * step;
            const std::size_t q = q0 + k * step;
            const bool hasNext = k + 1 < length;
            const std::uint32_t next = hasNext ? std::min<std::uint32_t>(level(p + step), level(q + step)) : 0;
            if (!(hasBefore && before > here) && !(hasNext && next >= here)) {
                visit(p, q, here);
            }
            if constexpr (kEight) {
                if (hasNext) {
                    const auto diagonal = [&](std::size_t a, std::size_t b, std::size_t crossA, std::size_t crossB) {
                        const std::uint32_t m = std::min<std::uint32_t>(level(a), level(b));
                        if (level(crossA) < m && level(crossB) < m) {
                            visit(a, b, m);
                        }
                    };
                    diagonal(p, q + step, p + step, q);
                    diagonal(p + step, q, p, q + step);
                }
            }
            before = here;
            hasBefore = true;
            here = next;
        }
    };

    const bool hasRight = tile.x0 + tile.width < grid.width;
    const bool hasBelow = tile.y0 + tile.height < grid.height;
    const std::size_t right = std::size_t{tile.y0} * width + tile.x0 + tile.width - 1;
    const std::size_t below = std::size_t{tile.y0 + tile.height - 1} * width + tile.x0;
    if (hasRight) {
        seam(right, right + 1, width, tile.height);
    }
    if (hasBelow) {
        seam(below, below + width, 1, tile.width);
    }
    if constexpr (kEight) {
        if (hasRight && hasBelow) {
            const std::size_t corner = below + tile.width - 1;
            visit(corner, corner + width + 1, std::min<std::uint32_t>(level(corner), level(corner + width + 1)));
            visit(corner + 1, corner + width, std::min<std::uint32_t>(level(corner + 1), level(corner + width)));
        }
    }
}

} // namespace pollard::cpu
