#pragma once

#include "cuda/device/host_device.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Size of a tile, px, and how a block shares it: a thread has one column of one of kStrips strips of rows.
template <int kWidth_, int kHeight_, int kStrips_> struct RimShape {
    static constexpr std::uint32_t kWidth = kWidth_;
    static constexpr std::uint32_t kHeight = kHeight_;
    static constexpr std::uint32_t kStrips = kStrips_;
    static constexpr std::uint32_t kStripHeight = kHeight / kStrips;
    static constexpr std::uint32_t kThreads = kWidth * kStrips;
    static constexpr std::uint32_t kPixels = kWidth * kHeight;
    static constexpr std::uint32_t kPerimeter = 2 * (kWidth + kHeight);
    static constexpr std::uint32_t kWords = (kPixels + 31) / 32; ///< of a set of pixels
    static_assert(kHeight % kStrips == 0);
    static_assert(kPixels <= 1 << 14, "the payload of a RimCode");
    static_assert(kStripHeight <= 32, "the edges between two columns of a strip are 32-bit masks");
};

/// A pixel of a tile as a word: its level plus 1 above, its place in the tile below. Places count backwards, from the
/// last pixel of the last row, so that comparing words compares pixels in the total order (docs/algorithms.md,
/// *Canonical pixel*), and kNone lies below all of them. A node at or above a level is a word not below that level's
/// floor, kNone is none: one comparison says whether to climb.
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
    /// The lowest word of the same level.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr Word floor(Word word) noexcept { return word & ~kPlaceMask; }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr bool sameLevel(Word one, Word other) noexcept {
        return (one ^ other) <= kPlaceMask;
    }
};

/// What a pixel knows of its parent once its tile is done. Nodes of the tile that reach its rim, or descend to one that
/// does, may still be joined with nodes of other tiles; such a node has a slot.
struct RimCode {
    static constexpr std::uint16_t kSlot = 0x8000; ///< the payload is a slot of the tile: that of the parent
    static constexpr std::uint16_t kOwnSlot =
        0x4000; ///< besides: that of the pixel itself, its node's last in the tile
    static constexpr std::uint16_t kPayload = 0x3fff; ///< else the parent's index in the tile, row after row
};

} // namespace pollard::cuda
