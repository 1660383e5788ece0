#pragma once

#include "cuda/device/host_device.hpp"

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
/// (docs/algorithms.md, *Canonical pixel*), and kNone is less than all of them. A node is at or above a level if its
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
    static constexpr std::uint16_t kSlot = 0x8000; ///< the payload is a slot of the tile: here the parent's
    static constexpr std::uint16_t kOwnSlot =
        0x4000; ///< the payload is the slot of the pixel's own node, of which it is the last in the tile
    static constexpr std::uint16_t kPayload = 0x3fff; ///< without kSlot: the parent's index in the tile, row-major
};

} // namespace pollard::cuda
