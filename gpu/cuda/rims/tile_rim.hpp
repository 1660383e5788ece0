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

/// Writes the codes of the thread's pixels, and the slots of those in the rim.
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

} // namespace pollard::cuda
