#pragma once

#include "cuda/published/image_tiling.hpp"
#include "cuda/published/link_record.hpp"

#include <cstdint>
#include <type_traits>

#ifndef __CUDA_ARCH__
#include <atomic>
#endif

namespace pollard::cuda {

/// Border max-trees (Blin 2021, s. 6): of each tile only the pixels of its top and bottom rows and their ancestors,
/// packed tile after tile within a column of tiles, so that joining the tiles of a column touches little memory. A node
/// is a slot. The slots of column c are c * tileWidth * height + [0, columnSize[c]).
///
/// Nodes are ordered as pixels (see LinkRecord), not by slot, so that the canonical pixels are correct.
struct BorderForest {
    static constexpr std::uint32_t kNone = 0xffffffffU;

    ImageTiling layout;
    std::uint32_t* links;      ///< per slot: the parent's slot or kNone
    std::uint32_t* pixels;     ///< per slot
    std::uint16_t* levels;     ///< per slot
    std::uint32_t* tileStart;  ///< per tile, row-major: its first slot
    std::uint32_t* columnSize; ///< per column of tiles: slots in use

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t columnStart(std::uint32_t column) const noexcept {
        return column * layout.tileWidth * layout.height;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t widthOfTile(std::uint32_t column) const noexcept {
        const std::uint32_t right = layout.width - column * layout.tileWidth;
        return right < layout.tileWidth ? right : layout.tileWidth;
    }
    /// Tiles below another tile have slots for their top row, which come first.
    [[nodiscard]] POLLARD_HOST_DEVICE bool hasTopRow(std::uint32_t row) const noexcept { return row > 0; }
    [[nodiscard]] POLLARD_HOST_DEVICE bool hasBottomRow(std::uint32_t row) const noexcept {
        return row + 1 < layout.rows();
    }
    /// Slot of a pixel in the top or bottom row of its tile; that row must border another tile.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t slotOfPixel(std::uint32_t pixel) const noexcept {
        const std::uint32_t y = pixel / layout.width;
        const std::uint32_t x = pixel % layout.width;
        const std::uint32_t row = y / layout.tileHeight;
        const std::uint32_t column = x / layout.tileWidth;
        const bool bottom = y % layout.tileHeight != 0 && hasTopRow(row);
        return tileStart[row * layout.columns() + column] + (bottom ? widthOfTile(column) : 0) + x % layout.tileWidth;
    }

    /// The link of a slot as a link of the image.
    [[nodiscard]] POLLARD_HOST_DEVICE PixelRecord::Word imageRecord(std::uint32_t slot) const noexcept {
        const std::uint32_t parent = links[slot];
        return parent == kNone ? PixelRecord::kNone : PixelRecord::make(levels[parent], pixels[parent]);
    }

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t load(std::uint32_t slot) const noexcept {
#ifdef __CUDA_ARCH__
        return *static_cast<volatile const std::uint32_t*>(links + slot);
#else
        return std::atomic_ref<std::uint32_t>(links[slot]).load(std::memory_order_relaxed);
#endif
    }
    /// Sets the link if it equals @p expected; returns the previous link.
    POLLARD_HOST_DEVICE std::uint32_t exchange(std::uint32_t slot, std::uint32_t expected,
                                               std::uint32_t desired) const noexcept {
#ifdef __CUDA_ARCH__
        return atomicCAS(links + slot, expected, desired);
#else
        std::atomic_ref<std::uint32_t>(links[slot])
            .compare_exchange_strong(expected, desired, std::memory_order_relaxed);
        return expected;
#endif
    }

    // Observer hooks of BorderConnection; empty here.
    POLLARD_HOST_DEVICE static void onStart(std::uint32_t, std::uint32_t) noexcept {}
    POLLARD_HOST_DEVICE static void beforeStep(std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) noexcept {}
    POLLARD_HOST_DEVICE static void onMeeting(std::uint32_t) noexcept {}
};
static_assert(std::is_trivially_copyable_v<BorderForest>);

/// CONNECT by compare-and-swap (Blin 2021, listing 4.2; Blin et al. 2022, algorithm 7) in border trees, step by step as
/// in Connection.
/// @tparam Forest BorderForest, or a forest with observers
template <class Forest = BorderForest> class BorderConnection {
public:
    POLLARD_HOST_DEVICE void start(const Forest& forest, std::uint32_t one, std::uint32_t other) noexcept {
        forest.onStart(one, other);
        low_ = sideAt(forest, one);
        high_ = sideAt(forest, other);
        if (high_.level < low_.level) {
            swapSides();
        }
        active_ = true;
    }

    [[nodiscard]] POLLARD_HOST_DEVICE bool active() const noexcept { return active_; }

    /// Climbs one link on both sides, or joins them.
    POLLARD_HOST_DEVICE void step(const Forest& forest) noexcept {
        forest.beforeStep(low_.slot, high_.slot, low_.parent, high_.parent);
        const bool climbLow = parentAtLeast(forest, low_, low_.level);
        const bool climbHigh = parentAtLeast(forest, high_, low_.level);
        if (climbLow || climbHigh) {
            if (climbLow) {
                low_ = sideAt(forest, low_.parent);
            }
            if (climbHigh) {
                high_ = sideAt(forest, high_.parent);
            }
            return;
        }
        if (low_.slot == high_.slot) {
            forest.onMeeting(low_.slot);
            active_ = false;
            return;
        }
        if (low_.level == high_.level && forest.pixels[high_.slot] > forest.pixels[low_.slot]) {
            swapSides(); // at equal levels the later pixel is the lower one
        }
        const std::uint32_t before = forest.exchange(high_.slot, high_.parent, low_.slot);
        if (before != high_.parent) {
            high_.parent = before; // another thread was faster: retry with its parent
            return;
        }
        if (before == BorderForest::kNone) {
            active_ = false;
            return;
        }
        // The former parent is below the low side's level, so the sides swap.
        high_ = low_;
        low_ = sideAt(forest, before);
    }

private:
    struct Side {
        std::uint32_t slot;
        std::uint32_t parent; ///< may be outdated
        std::uint32_t level;
    };

    POLLARD_HOST_DEVICE static Side sideAt(const Forest& forest, std::uint32_t slot) noexcept {
        return {slot, forest.load(slot), forest.levels[slot]};
    }
    POLLARD_HOST_DEVICE static bool parentAtLeast(const Forest& forest, const Side& side,
                                                  std::uint32_t level) noexcept {
        return side.parent != BorderForest::kNone && forest.levels[side.parent] >= level;
    }
    POLLARD_HOST_DEVICE void swapSides() noexcept {
        const Side side = low_;
        low_ = high_;
        high_ = side;
    }

    Side low_{};
    Side high_{};
    bool active_ = false;
};

} // namespace pollard::cuda
