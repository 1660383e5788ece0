#pragma once

#include "cuda/rims/rim_tile.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Clears the lowest bit of a nonempty set and returns its position.
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t takeLowestBit(std::uint32_t& bits) noexcept {
#ifdef __CUDA_ARCH__
    const auto position = static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
    const auto position = static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
    bits &= bits - 1;
    return position;
}

/// The edges that one thread joins within the tile: between its column and the next in its strip, and at the top
/// between its strip and the one above. Only those selected by keptEdges().
template <class Tile> class TileEdges {
    static constexpr std::uint32_t kWidth = Tile::Shape::kWidth;

public:
    POLLARD_DEVICE explicit TileEdges(const Tile& tile) : first_(tile.placeOf(tile.column(), tile.firstRow())) {
        if (!tile.hasPixels()) {
            return;
        }
        if (tile.column() + 1 < tile.width) {
            lookAtColumns(tile.memory.levels, tile.endRow() - tile.firstRow());
        }
        if (Tile::Shape::kStrips > 1 && tile.firstRow() > 0) {
            lookAbove(tile);
        }
    }

    /// Removes one edge and returns the places of its ends. @return false if none is left
    POLLARD_DEVICE bool take(std::uint32_t& u, std::uint32_t& v) {
        if (straight_ != 0) {
            u = first_ - takeLowestBit(straight_) * kWidth;
            v = u - 1;
            return true;
        }
        if (Tile::kEight && (forward_ | backward_) != 0) {
            const bool isForward = forward_ != 0;
            u = first_ - takeLowestBit(isForward ? forward_ : backward_) * kWidth;
            v = u - 1;
            (isForward ? u : v) += kWidth;
            return true;
        }
        if (Tile::Shape::kStrips == 1 || above_ == 0) {
            return false;
        }
        v = first_;
        u = first_ + kWidth;
        if (above_ & kForward) {
            ++u;
        } else if (above_ & kBackward) {
            ++v;
        }
        above_ = 0; // at most one
        return true;
    }

private:
    /// keptEdges() for all rows at once: it depends only on the rows at which the two columns, or with 4-connectivity
    /// the lower ends of the straight edges, rise.
    POLLARD_DEVICE void lookAtColumns(const typename Tile::Level* levels, std::uint32_t rows) {
        std::uint32_t place = first_;
        std::uint32_t u = levels[place];
        std::uint32_t v = levels[place - 1];
        std::uint32_t uRises = 1;
        std::uint32_t vRises = 1;
        for (std::uint32_t row = 1; row < rows; ++row) {
            place -= kWidth;
            const std::uint32_t uNext = levels[place];
            const std::uint32_t vNext = levels[place - 1];
            if constexpr (Tile::kEight) {
                uRises |= uNext > u ? 1U << row : 0U;
                vRises |= vNext > v ? 1U << row : 0U;
                u = uNext;
                v = vNext;
            } else {
                const std::uint32_t lower = uNext < vNext ? uNext : vNext;
                u = u < v ? u : v;
                uRises |= lower > u ? 1U << row : 0U;
                u = v = lower;
            }
        }
        if constexpr (Tile::kEight) {
            straight_ = uRises & vRises & ~((uRises | vRises) >> 1U);
            forward_ = ~uRises & vRises;
            backward_ = uRises & ~vRises;
        } else {
            straight_ = uRises & ~(uRises >> 1U);
        }
    }

    POLLARD_DEVICE void lookAbove(const Tile& tile) {
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
        above_ = keptEdges(window, {Tile::kEight, true});
    }

    std::uint32_t first_;                                     ///< place of the thread's top pixel
    std::uint32_t straight_ = 0, forward_ = 0, backward_ = 0; ///< to the next column, one bit per row of the strip
    std::uint32_t above_ = 0;                                 ///< to the strip above: a set of BoundaryEdge
};

/// Joins the trees of the columns: Connection for all edges of a thread, with as few instructions as PlaceRecord
/// allows, since the tile pass spends most of its time here. A thread starts its next edge while its neighbours still
/// climb. Climbing is the common case, so several links are climbed between two checks for the other cases.
template <class Tile> POLLARD_DEVICE void joinColumns(const Tile& tile) {
    using Record = typename Tile::Record;
    using Word = typename Record::Word;
    constexpr int kClimbs = 4; // measured: the tile pass takes a quarter longer with 1, hardly longer with 3 or 5
    std::uint32_t* const links = tile.memory.links;
    TileEdges<Tile> edges(tile);
    Word low = Record::kNone;  // the side of lower level: climbs to the root of its level; kNone between edges
    Word high = Record::kNone; // the other side: climbs to the last node at or above that level
    while (true) {
        if (low == Record::kNone) {
            std::uint32_t u;
            std::uint32_t v;
            if (!edges.take(u, v)) {
                return;
            }
            const Word one = tile.recordOf(u);
            const Word other = tile.recordOf(v);
            low = one < other ? one : other;
            high = one < other ? other : one;
        }
        bool climbs = false;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (int k = 0; k < kClimbs; ++k) {
            const Word floor = Record::floor(low);
            const Word lowParent = loadFresh(links + Record::place(low));
            const Word highParent = loadFresh(links + Record::place(high));
            const bool climbLow = lowParent >= floor;
            const bool climbHigh = highParent >= floor;
            low = climbLow ? lowParent : low;
            high = climbHigh ? highParent : high;
            climbs = climbLow || climbHigh;
        }
        if (climbs) {
            continue;
        }
        if (low == high) {
            low = Record::kNone;
            continue;
        }
        const Word lower = low < high ? low : high; // the sides may swap at equal levels
        const Word higher = low < high ? high : low;
        // Whether raised or not, the former parent must still be joined with the lower one. If it is kNone, the edge is
        // done.
        const Word before = raised(links + Record::place(higher), lower);
        low = before < lower ? before : lower;
        high = before < lower ? lower : before;
    }
}

} // namespace pollard::cuda
