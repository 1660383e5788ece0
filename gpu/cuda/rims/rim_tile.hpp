#pragma once

#include "base/compiler.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "cuda/published/kept_edges.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Size of a tile, px, and its division over a block: each thread has one column of one of kStrips strips of rows.
template <int kWidth_, int kHeight_, int kStrips_> struct RimShape {
    static constexpr std::uint32_t kWidth = kWidth_;
    static constexpr std::uint32_t kHeight = kHeight_;
    static constexpr std::uint32_t kStrips = kStrips_;
    static constexpr std::uint32_t kStripHeight = kHeight / kStrips;
    static constexpr std::uint32_t kThreads = kWidth * kStrips;
    static constexpr std::uint32_t kPixels = kWidth * kHeight;
    static constexpr std::uint32_t kPerimeter = 2 * (kWidth + kHeight);
    static constexpr std::uint32_t kWords = (kPixels + 31) / 32; ///< of a bit set of pixels
    static_assert(kHeight % kStrips == 0);
    static_assert(kPixels <= 1 << 14, "the payload of a RimCode");
    static_assert(kStripHeight <= 32, "the edges between two columns of a strip are 32-bit masks");
};

/// A pixel of a tile as a word: its level plus 1 in the upper bits, its place in the tile in the lower. Places count
/// backwards from the last pixel of the last row, so that comparing words compares pixels in the total order
/// (docs/algorithms.md, *Canonical pixel*), and kNone is less than every place. A node is at or above a level if its
/// word is not less than the level's floor, which excludes kNone: one comparison decides whether to climb.
template <int kPixels> struct PlaceRecord {
    using Word = std::uint32_t;
    static constexpr Word kNone = 0;

    [[nodiscard]] static constexpr int bitsFor(std::uint32_t count) noexcept {
        int bits = 0;
        while (count > 1U << static_cast<unsigned>(bits)) {
            ++bits;
        }
        return bits;
    }
    static constexpr int kPlaceBits = bitsFor(kPixels);
    static constexpr Word kPlaceMask = (Word{1} << kPlaceBits) - 1;
    static_assert(kPlaceBits + 17 <= 32);

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Word make(std::uint32_t level, std::uint32_t place) noexcept {
        return ((level + 1) << kPlaceBits) | place;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t level(Word word) noexcept {
        return (word >> kPlaceBits) - 1;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t place(Word word) noexcept {
        return word & kPlaceMask;
    }
    /// The smallest word of the same level.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Word floor(Word word) noexcept { return word & ~kPlaceMask; }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool sameLevel(Word one, Word other) noexcept {
        return (one ^ other) <= kPlaceMask;
    }
};

/// Code of a pixel's parent after the tile pass. A node whose component reaches the rim of the tile may still be joined
/// with nodes of other tiles, and has a slot.
struct RimCode {
    static constexpr std::uint16_t kSlot = 0x8000;    ///< payload: slot of the parent in the tile
    static constexpr std::uint16_t kOwnSlot = 0x4000; ///< payload: slot of the pixel's node, on the node's last pixel
    static constexpr std::uint16_t kPayload = 0x3fff; ///< without kSlot: index of the parent in the tile, row-major
};

/// Shared memory of a block.
template <class Level, class Shape> struct RimMemory {
    std::uint32_t links[Shape::kPixels];      ///< per place: the parent's record or kNone
    std::uint32_t rim[Shape::kWords];         ///< bit set of places: the nodes that have a slot
    std::uint32_t slotsBefore[Shape::kWords]; ///< first slot of each word of the set
    std::uint32_t slotCount;
    std::uint32_t firstSlot; ///< in the forest
    Level levels[Shape::kPixels];
};

/// One thread's view of its tile. Pixels of the tile are numbered by *place*, see PlaceRecord.
template <class Level_, class Shape_, bool kEight_> struct RimTile {
    using Level = Level_;
    using Shape = Shape_;
    using Record = PlaceRecord<static_cast<int>(Shape::kPixels)>;
    using Word = typename Record::Word;
    static constexpr bool kEight = kEight_;

    RimMemory<Level, Shape>& memory;
    std::uint32_t thread;
    std::uint32_t left, top;     ///< of the tile in the image
    std::uint32_t width, height; ///< of the tile: less than the shape's at the edges of the image
    std::uint32_t imageWidth, imageHeight;

    /// The thread's column and rows, if any.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t column() const noexcept { return thread % Shape::kWidth; }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t firstRow() const noexcept {
        return thread / Shape::kWidth * Shape::kStripHeight;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t endRow() const noexcept {
        const std::uint32_t end = firstRow() + Shape::kStripHeight;
        return end < height ? end : height;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool hasPixels() const noexcept {
        return column() < width && firstRow() < height;
    }

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t placeOf(std::uint32_t x,
                                                                             std::uint32_t y) noexcept {
        return Shape::kPixels - 1 - (y * Shape::kWidth + x);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixelOf(std::uint32_t x, std::uint32_t y) const noexcept {
        return (top + y) * imageWidth + left + x;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE Word recordOf(std::uint32_t place) const noexcept {
        return Record::make(memory.levels[place], place);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t levelAt(std::uint32_t x, std::uint32_t y) const noexcept {
        return memory.levels[placeOf(x, y)];
    }
};

/// Loads the thread's pixels.
template <class Tile> POLLARD_DEVICE void loadTile(const Tile& tile, const LevelView<typename Tile::Level>& image) {
    constexpr std::uint32_t kBatch = Tile::Shape::kStripHeight < 8 ? Tile::Shape::kStripHeight : 8;
    if (tile.column() >= tile.width) {
        return;
    }
    const std::uint32_t end = tile.endRow();
    for (std::uint32_t first = tile.firstRow(); first < end; first += kBatch) {
        typename Tile::Level batch[kBatch] = {}; // several loads in flight
        for (std::uint32_t k = 0; k < kBatch; ++k) {
            if (first + k < end) {
                batch[k] = image[tile.pixelOf(tile.column(), first + k)];
            }
        }
        for (std::uint32_t k = 0; k < kBatch; ++k) {
            if (first + k < end) {
                tile.memory.levels[tile.placeOf(tile.column(), first + k)] = batch[k];
            }
        }
    }
}

/// Builds the tree of the thread's column strip (the one-dimensional algorithm of Menotti et al. 2007) from the bottom
/// up, so that the last pixel of a level is its root. The links of the last pixel's ancestors are the stack.
template <class Tile> POLLARD_DEVICE void buildColumn(const Tile& tile) {
    using Record = typename Tile::Record;
    using Word = typename Record::Word;
    if (!tile.hasPixels()) {
        return;
    }
    std::uint32_t* const links = tile.memory.links;
    std::uint32_t place = tile.placeOf(tile.column(), tile.endRow() - 1);
    const std::uint32_t end = tile.placeOf(tile.column(), tile.firstRow());
    Word last = tile.recordOf(place);
    Word lastParent = Record::kNone;
    links[place] = Record::kNone;
    while (place != end) {
        const std::uint32_t above = place + Tile::Shape::kWidth;
        const Word record = tile.recordOf(above);
        if (lastParent >= Record::floor(record)) {
            last = lastParent; // pop the stack; the pixel stays
            lastParent = links[Record::place(last)];
            continue;
        }
        if (Record::sameLevel(last, record)) {
            links[above] = last;
        } else if (last < record) {
            links[above] = last;
            lastParent = last;
            last = record;
        } else {
            links[above] = lastParent;
            links[Record::place(last)] = record;
            last = record;
        }
        place = above;
    }
}

/// Links each of the thread's pixels to the canonical pixel of the parent's level, after the tile is joined. Threads
/// shorten chains of equal level while others follow them (path splitting): along a plateau these are as long as the
/// tile is wide.
template <class Tile> POLLARD_DEVICE void flattenTile(const Tile& tile) {
    using Record = typename Tile::Record;
    using Word = typename Record::Word;
    if (tile.column() >= tile.width) {
        return;
    }
    std::uint32_t* const links = tile.memory.links;
    for (std::uint32_t y = tile.endRow(); y > tile.firstRow(); --y) { // canonical pixels lie further down
        const std::uint32_t place = tile.placeOf(tile.column(), y - 1);
        Word node = loadFresh(links + place);
        if (node == Record::kNone) {
            continue;
        }
        const Word floor = Record::floor(node);
        Word parent = loadFresh(links + Record::place(node));
        if (parent < floor) {
            continue;
        }
        while (true) {
            const Word further = loadFresh(links + Record::place(parent));
            if (further < floor) {
                break;
            }
            lowerTo(links + Record::place(node), further); // minimum: never undoes another thread's shortcut
            node = parent;
            parent = further;
        }
        lowerTo(links + place, parent);
    }
}

/// Tile size of the engine; docs/algorithms.md, `rims`, gives the reason.
using EngineRimShape = RimShape<64, 64, 2>;

} // namespace pollard::cuda
