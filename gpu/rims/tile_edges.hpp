#pragma once

#include "rims/rim_tile.hpp"
#include "rims/tile_join.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Position of the lowest bit of a set that is not empty; it is taken out.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t takeLowestBit(std::uint32_t& bits) noexcept {
#ifdef __CUDA_ARCH__
    const auto position = static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
    const auto position = static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
    bits &= bits - 1;
    return position;
}

/// The edges that one thread has to join within the tile: between its column and the next, row by row of its strip, and
/// at its top, between its strip and the one above. Only those that keptEdges() keeps.
template <class Tile> struct TileEdges {
    using Record = typename Tile::Record;
    using Word = typename Record::Word;

    const Tile& tile;
    std::uint32_t straight = 0, forward = 0, backward = 0; ///< to the next column, a bit a row of the strip
    std::uint32_t above = 0;                               ///< to the strip above: set of BoundaryEdge

    POLLARD_DEVICE explicit TileEdges(const Tile& of) : tile(of) {
        if (!tile.hasPixels()) {
            return;
        }
        if (tile.column() + 1 < tile.width) {
            lookAtColumns();
        }
        if (Tile::Shape::kStrips > 1 && tile.firstRow() > 0) {
            lookAbove();
        }
    }

    [[nodiscard]] POLLARD_DEVICE bool any() const { return (straight | forward | backward | above) != 0; }

    /// Starts joining one edge and takes it out.
    POLLARD_DEVICE void startNext(TileJoin<Record>& join) {
        std::uint32_t u;
        std::uint32_t v;
        if (straight != 0) {
            u = placeInColumn(takeLowestBit(straight));
            v = u - 1;
        } else if (Tile::kEight && forward != 0) {
            v = placeInColumn(takeLowestBit(forward)) - 1;
            u = v + 1 + Tile::Shape::kWidth;
        } else if (Tile::kEight && backward != 0) {
            u = placeInColumn(takeLowestBit(backward));
            v = u - 1 + Tile::Shape::kWidth;
        } else {
            v = placeInColumn(0);
            u = v + Tile::Shape::kWidth;
            if (above & kStraight) {
                above &= ~std::uint32_t{kStraight};
            } else if (above & kForward) {
                above &= ~std::uint32_t{kForward};
                ++u;
            } else {
                above = 0;
                ++v;
            }
        }
        join.start(tile.memory.links, tile.recordOf(u), tile.recordOf(v));
    }

private:
    [[nodiscard]] POLLARD_DEVICE std::uint32_t placeInColumn(std::uint32_t row) const {
        return tile.placeOf(tile.column(), tile.firstRow() + row);
    }

    POLLARD_DEVICE void lookAtColumns() {
        const std::uint32_t x = tile.column();
        const std::uint32_t first = tile.firstRow();
        const std::uint32_t rows = tile.endRow() - first;
        if constexpr (!Tile::kEight) {
            // Of the lower ends of the edges, the maxima along the column stay, and of a plateau the first.
            std::uint32_t bit = 1;
            std::int32_t before = -1;
            std::int32_t own = lowerEnd(x, first);
            for (std::uint32_t y = 1; y <= rows; ++y) {
                const std::int32_t after = y < rows ? lowerEnd(x, first + y) : -1;
                straight |= own > before && own >= after ? bit : 0U;
                before = own;
                own = after;
                bit <<= 1U;
            }
        } else {
            BoundaryWindow window{};
            window.uAfter = tile.levelAt(x, first);
            window.vAfter = tile.levelAt(x + 1, first);
            for (std::uint32_t y = 0; y < rows; ++y) {
                window.uBefore = window.u;
                window.vBefore = window.v;
                window.u = window.uAfter;
                window.v = window.vAfter;
                window.hasBefore = y > 0;
                window.hasAfter = y + 1 < rows;
                if (window.hasAfter) {
                    window.uAfter = tile.levelAt(x, first + y + 1);
                    window.vAfter = tile.levelAt(x + 1, first + y + 1);
                }
                const std::uint32_t kept = keptEdges(window, {true, true});
                straight |= (kept & kStraight ? 1U : 0U) << y;
                forward |= (kept & kForward ? 1U : 0U) << y;
                backward |= (kept & kBackward ? 1U : 0U) << y;
            }
        }
    }

    POLLARD_DEVICE void lookAbove() {
        const std::uint32_t x = tile.column();
        const std::uint32_t y = tile.firstRow();
        BoundaryWindow window{};
        window.hasBefore = x > 0;
        window.hasAfter = x + 1 < tile.width;
        window.u = tile.levelAt(x, y - 1);
        window.v = tile.levelAt(x, y);
        if (window.hasBefore) {
            window.uBefore = tile.levelAt(x - 1, y - 1);
            window.vBefore = tile.levelAt(x - 1, y);
        }
        if (window.hasAfter) {
            window.uAfter = tile.levelAt(x + 1, y - 1);
            window.vAfter = tile.levelAt(x + 1, y);
        }
        above = keptEdges(window, {Tile::kEight, true});
    }

    [[nodiscard]] POLLARD_DEVICE std::int32_t lowerEnd(std::uint32_t x, std::uint32_t y) const {
        const auto u = static_cast<std::int32_t>(tile.levelAt(x, y));
        const auto v = static_cast<std::int32_t>(tile.levelAt(x + 1, y));
        return u < v ? u : v;
    }
};

/// Joins the trees of the columns. One step a turn: a thread that is done with an edge takes its next one while its
/// neighbours still climb.
template <class Tile> POLLARD_DEVICE void joinColumns(const Tile& tile) {
    TileEdges<Tile> edges(tile);
    TileJoin<typename Tile::Record> join;
    while (true) {
        if (!join.active()) {
            if (!edges.any()) {
                return;
            }
            edges.startNext(join);
        }
        join.step(tile.memory.links);
    }
}

} // namespace pollard::cuda
