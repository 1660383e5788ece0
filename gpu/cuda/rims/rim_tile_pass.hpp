#pragma once

#include "cuda/rims/rim_forest.hpp"
#include "cuda/rims/rim_tile.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Sides of a tile.
enum class Side : std::uint32_t { left, top, right, bottom };

/// One border pixel of a tile and the side that it lies on.
template <class Tile> struct BorderPixel {
    const Tile& tile;
    Side side;
    std::uint32_t k; ///< position along the side
    bool exists;     ///< lies in the tile, with another tile beyond the side

    /// @pre @p number is less than Shape::kPerimeter
    POLLARD_DEVICE BorderPixel(const Tile& of, std::uint32_t number) : tile(of) {
        using Shape = typename Tile::Shape;
        const bool upright = number < 2 * Shape::kHeight;
        const std::uint32_t rest = upright ? number : number - 2 * Shape::kHeight;
        const std::uint32_t length = upright ? Shape::kHeight : Shape::kWidth;
        const bool farther = rest >= length;
        k = farther ? rest - length : rest;
        side = upright ? (farther ? Side::right : Side::left) : (farther ? Side::bottom : Side::top);
        const bool faces = side == Side::left    ? tile.left > 0
                           : side == Side::top   ? tile.top > 0
                           : side == Side::right ? tile.left + tile.width < tile.imageWidth
                                                 : tile.top + tile.height < tile.imageHeight;
        exists = faces && k < sideLength();
    }

    [[nodiscard]] POLLARD_DEVICE bool isUpright() const { return side == Side::left || side == Side::right; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t sideLength() const { return isUpright() ? tile.height : tile.width; }
    /// Whether this tile joins the edges across the side: the right and the lower one.
    [[nodiscard]] POLLARD_DEVICE bool isOwner() const { return side == Side::right || side == Side::bottom; }

    [[nodiscard]] POLLARD_DEVICE std::uint32_t x() const {
        return isUpright() ? (side == Side::left ? 0 : tile.width - 1) : k;
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t y() const {
        return isUpright() ? k : (side == Side::top ? 0 : tile.height - 1);
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t pixel() const { return tile.pixelOf(x(), y()); }
    /// The adjacent pixel across the boundary.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t outside() const {
        const std::uint32_t own = pixel();
        return side == Side::left    ? own - 1
               : side == Side::top   ? own - tile.imageWidth
               : side == Side::right ? own + 1
                                     : own + tile.imageWidth;
    }
    /// Index step from one pixel to the next along the boundary.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t along() const { return isUpright() ? tile.imageWidth : 1; }

    /// The edges to join here, a set of BoundaryEdge with u on this tile's side. With 4-connectivity the result is
    /// equal from both sides.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t keptEdges(const LevelView<typename Tile::Level>& image) const {
        const std::uint32_t v = outside();
        const std::uint32_t step = along();
        const auto own = [this](std::uint32_t at) {
            return isUpright() ? tile.levelAt(x(), at) : tile.levelAt(at, y());
        };
        BoundaryWindow window{};
        window.hasBefore = k > 0;
        window.hasAfter = k + 1 < sideLength();
        window.u = own(k);
        window.v = image[v];
        if (window.hasBefore) {
            window.uBefore = own(k - 1);
            window.vBefore = image[v - step];
        }
        if (window.hasAfter) {
            window.uAfter = own(k + 1);
            window.vAfter = image[v + step];
        }
        return cuda::keptEdges(window, {Tile::kEight, true});
    }
};

/// Adds the node of a pixel and its ancestors to the tile's rim, up to the first that is in it. The tile must be flat.
template <class Tile> POLLARD_DEVICE void addToRim(const Tile& tile, std::uint32_t place) {
    using Record = typename Tile::Record;
    const std::uint32_t* const links = tile.memory.links;
    typename Record::Word link = links[place];
    if (Record::sameLevel(link, tile.recordOf(place))) {
        place = Record::place(link);
        link = links[place];
    }
    while (true) {
        const std::uint32_t bit = 1U << (place % 32);
        if ((withBitsSet(&tile.memory.rim[place / 32], bit) & bit) != 0 || link == Record::kNone) {
            return;
        }
        place = Record::place(link);
        link = links[place];
    }
}

/// Finds the edges to other tiles, and the rim of the tile: the nodes at the ends of such edges, and their ancestors.
template <class Tile> POLLARD_DEVICE void findRim(const Tile& tile, const LevelView<typename Tile::Level>& image,
                                                  RimEdge* edges, std::uint32_t* edgeCount) {
    for (std::uint32_t n = tile.thread; n < Tile::Shape::kPerimeter; n += Tile::Shape::kThreads) {
        const BorderPixel<Tile> border(tile, n);
        if (!border.exists) {
            continue;
        }
        const bool looks = !Tile::kEight || border.isOwner();
        const std::uint32_t kept = looks ? border.keptEdges(image) : 0U;
        if (Tile::kEight || kept != 0) { // diagonals may end at a position without an edge of its own
            addToRim(tile, tile.placeOf(border.x(), border.y()));
        }
        if (!border.isOwner()) {
            continue;
        }
        const std::uint32_t u = border.pixel();
        const std::uint32_t v = border.outside();
        const std::uint32_t step = border.along();
        if (kept & kStraight) {
            edges[takePlace(edgeCount)] = {u, v};
        }
        if constexpr (Tile::kEight) {
            // No boundary contains the diagonals across a corner of four tiles, so none may be omitted.
            const bool corner = border.side == Side::right && border.k == 0 && tile.top > 0;
            if (corner || kept & kForward) {
                edges[takePlace(edgeCount)] = {u - step, v};
            }
            if (corner || kept & kBackward) {
                edges[takePlace(edgeCount)] = {u, v - step};
            }
        }
    }
}

/// Numbers the nodes of the rim within the tile.
template <class Tile> POLLARD_DEVICE void numberRim(const Tile& tile) {
    auto& memory = tile.memory;
    for (std::uint32_t word = tile.thread; word < Tile::Shape::kWords; word += Tile::Shape::kThreads) {
        const std::uint32_t count = countBits(memory.rim[word]);
        memory.slotsBefore[word] = count > 0 ? addTo(&memory.slotCount, count) : 0U;
    }
}

/// Writes the codes of the thread's pixels, and the slots of its pixels in the rim.
template <class Tile>
POLLARD_DEVICE void writeCodes(const Tile& tile, std::uint16_t* codes, const RimForest<typename Tile::Level>& forest) {
    using Record = typename Tile::Record;
    const auto& memory = tile.memory;
    const auto isInRim = [&memory](std::uint32_t place) {
        return ((memory.rim[place / 32] >> (place % 32)) & 1U) != 0;
    };
    const auto slotOf = [&memory](std::uint32_t place) {
        const std::uint32_t lower = memory.rim[place / 32] & ((1U << (place % 32)) - 1);
        return memory.slotsBefore[place / 32] + countBits(lower);
    };
    if (!tile.hasPixels()) {
        return;
    }
    const std::uint32_t x = tile.column();
    const std::uint32_t end = tile.endRow();
    for (std::uint32_t y = tile.firstRow(); y < end; ++y) {
        const std::uint32_t place = tile.placeOf(x, y);
        const std::uint32_t pixel = tile.pixelOf(x, y);
        const typename Record::Word link = memory.links[place];
        if (isInRim(place)) {
            const std::uint32_t number = slotOf(place);
            codes[pixel] = static_cast<std::uint16_t>(RimCode::kSlot | RimCode::kOwnSlot | number);
            const std::uint32_t slot = memory.firstSlot + number;
            forest.links[slot] =
                link == Record::kNone
                    ? SlotRecord::kNone
                    : SlotRecord::make(Record::level(link), memory.firstSlot + slotOf(Record::place(link)));
            forest.canonical[slot] = pixel;
            forest.parents[slot] = pixel;
            forest.levels[slot] = memory.levels[place];
            continue;
        }
        const std::uint32_t parent = link == Record::kNone ? place : Record::place(link);
        codes[pixel] = static_cast<std::uint16_t>(isInRim(parent) ? RimCode::kSlot | slotOf(parent)
                                                                  : Tile::Shape::kPixels - 1 - parent);
    }
}

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
/// between its strip and the strip above, as far as keptEdges() selects them.
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
            findEdgesAbove(tile);
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

    POLLARD_DEVICE void findEdgesAbove(const Tile& tile) {
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

/// Pass 1, one block per tile: the tree of the tile as codes (RimCode), the slots of its rim, and the edges to its
/// right and lower neighbours.
template <class Level, class Shape_, bool kEight> struct RimTilePass {
    using Shape = Shape_;
    using Memory = RimMemory<Level, Shape>;

    LevelView<Level> image;
    std::uint32_t width, height; ///< of the image, px
    std::uint32_t tileColumns;
    RimCounts* counts;        ///< zero at the start
    std::uint16_t* codes;     ///< per pixel
    std::uint32_t* firstSlot; ///< per tile, row-major
    RimForest<Level> forest;
    RimEdge* edges;

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t left = blockOfGrid() % tileColumns * Shape::kWidth;
        const std::uint32_t top = blockOfGrid() / tileColumns * Shape::kHeight;
        const RimTile<Level, Shape, kEight> tile{memory,
                                                 threadOfBlock(),
                                                 left,
                                                 top,
                                                 width - left < Shape::kWidth ? width - left : Shape::kWidth,
                                                 height - top < Shape::kHeight ? height - top : Shape::kHeight,
                                                 width,
                                                 height};
        for (std::uint32_t word = tile.thread; word < Shape::kWords; word += Shape::kThreads) {
            memory.rim[word] = 0;
        }
        if (tile.thread == 0) {
            memory.slotCount = 0;
        }
        loadTile(tile, image);
        buildColumn(tile);
        meetThreads();
        joinColumns(tile);
        meetThreads();
        flattenTile(tile);
        meetThreads();
        findRim(tile, image, edges, &counts->edges);
        meetThreads();
        numberRim(tile);
        meetThreads();
        if (tile.thread == 0) {
            memory.firstSlot = memory.slotCount > 0 ? addTo(&counts->slots, memory.slotCount) : 0U;
            firstSlot[blockOfGrid()] = memory.firstSlot;
        }
        meetThreads();
        writeCodes(tile, codes, forest);
    }
};

} // namespace pollard::cuda
