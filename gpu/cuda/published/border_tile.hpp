#pragma once

#include "cuda/published/border_forest.hpp"
#include "cuda/published/tile_tree.hpp"

#include <cstdint>

#ifndef __CUDA_ARCH__
#include <atomic>
#endif

namespace pollard::cuda {

/// Extracts a tile's border tree (Blin 2021, s. 6.4) from its flat tree. As in TileTree, each function is one thread's
/// share. The paper packs marks and links into 32 bits, which limits tiles to 256 x 128 px; here the marks have an
/// array of their own, so only TileRecord limits the size.
template <class Tile> struct BorderTile {
    static constexpr std::uint32_t kUntaken = 0xffffffffU;
    static constexpr std::uint32_t kTaken = 0xfffffffeU;

    Tile tile;
    std::uint32_t* slotOf;  ///< [Tile::kPixels]: slot within the tile, or kUntaken
    std::uint16_t* pixelOf; ///< [Tile::kPixels]: index within the tile of each slot
    std::uint32_t* count;   ///< number of slots in use
    bool top, bottom;       ///< whether these rows border another tile

    /// The bottom row has its own slots unless it is also the top row.
    [[nodiscard]] POLLARD_HOST_DEVICE bool bottomApart() const noexcept { return bottom && !(top && tile.height == 1); }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t bottomSlot() const noexcept { return top ? tile.width : 0; }
    /// Number of slots of the border rows, which come first.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rowSlots() const noexcept {
        return (top ? tile.width : 0) + (bottomApart() ? tile.width : 0);
    }

    /// Assigns slots to the border pixels of column x.
    POLLARD_HOST_DEVICE void takeRows(std::uint32_t x) const noexcept {
        if (top) {
            take(tile.indexOf(x, 0), x);
        }
        if (bottomApart()) {
            take(tile.indexOf(x, tile.height - 1), bottomSlot() + x);
        }
    }

    /// Assigns slots to the ancestors of the border pixels of column x, up to the first that has one.
    POLLARD_HOST_DEVICE void takeAncestors(std::uint32_t x) const noexcept {
        if (top) {
            climb(tile.indexOf(x, 0));
        }
        if (bottomApart()) {
            climb(tile.indexOf(x, tile.height - 1));
        }
    }

    /// Writes one slot of the tile to the forest, where the tile's slots start at @p first.
    POLLARD_HOST_DEVICE void writeSlot(std::uint32_t slot, std::uint32_t first, std::size_t corner,
                                       const BorderForest& forest) const noexcept {
        const std::uint32_t index = pixelOf[slot];
        const TileRecord::Word parent = tile.links[index];
        forest.links[first + slot] =
            parent == TileRecord::kNone ? BorderForest::kNone : first + slotOf[TileRecord::index(parent)];
        forest.levels[first + slot] = tile.levels[index];
        forest.pixels[first + slot] = tile.imageIndex(index, corner, forest.layout.width);
    }

private:
    POLLARD_HOST_DEVICE void take(std::uint32_t index, std::uint32_t slot) const noexcept {
        slotOf[index] = slot;
        pixelOf[slot] = static_cast<std::uint16_t>(index);
    }

    POLLARD_HOST_DEVICE void climb(std::uint32_t index) const noexcept {
        while (true) {
            const TileRecord::Word parent = tile.links[index];
            if (parent == TileRecord::kNone) {
                return;
            }
            index = TileRecord::index(parent);
            if (!claim(index)) {
                return;
            }
            take(index, addOne());
        }
    }

    /// Whether this thread is the first to reach the pixel.
    POLLARD_HOST_DEVICE bool claim(std::uint32_t index) const noexcept {
#ifdef __CUDA_ARCH__
        return atomicCAS(slotOf + index, kUntaken, kTaken) == kUntaken;
#else
        std::uint32_t expected = kUntaken;
        return std::atomic_ref<std::uint32_t>(slotOf[index]).compare_exchange_strong(expected, kTaken);
#endif
    }
    POLLARD_HOST_DEVICE std::uint32_t addOne() const noexcept {
#ifdef __CUDA_ARCH__
        return atomicAdd(count, 1U);
#else
        return std::atomic_ref<std::uint32_t>(*count).fetch_add(1);
#endif
    }
};

} // namespace pollard::cuda
