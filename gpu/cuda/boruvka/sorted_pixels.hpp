#pragma once

#include "cuda/device/host_device.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Range of key bits to sort by, counted from the lowest.
struct SortedBits {
    int first;
    int end;
};

/// Layout of branch, level and pixel in the 64 bits of a sort key, from the highest to the lowest bits. If they do not
/// fit, the pixel is stored beside the key.
struct KeyLayout {
    std::uint32_t branchBits, levelBits;
    std::uint32_t pixelBits; ///< 0: the pixel is stored beside the key

    /// @param branches,pixels their numbers
    [[nodiscard]] static KeyLayout of(std::uint32_t branches, std::uint32_t levelBits, std::uint32_t pixels,
                                      bool mayPack = true) noexcept {
        const auto bits = [](std::uint32_t count) {
            return static_cast<std::uint32_t>(std::bit_width(count > 1 ? count - 1 : 1U));
        };
        const bool isPacked = mayPack && bits(branches) + levelBits + bits(pixels) <= 64;
        return {bits(branches), levelBits, isPacked ? bits(pixels) : 0};
    }
    [[nodiscard]] bool isPacked() const noexcept { return pixelBits != 0; }
    /// The bits to sort by. Keys are generated in the order of pixels, which a stable sort keeps for equal bits.
    [[nodiscard]] SortedBits sortedBits() const noexcept {
        return {static_cast<int>(pixelBits), static_cast<int>(pixelBits + levelBits + branchBits)};
    }

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t make(std::uint32_t branch, std::uint32_t level,
                                                         std::uint32_t pixel) const noexcept {
        const std::uint64_t node = std::uint64_t{branch} << levelBits | level;
        return node << pixelBits | (pixelBits != 0 ? pixel : 0U);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t branch(std::uint64_t key) const noexcept {
        return static_cast<std::uint32_t>(key >> (levelBits + pixelBits));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t level(std::uint64_t key) const noexcept {
        return static_cast<std::uint32_t>(key >> pixelBits) & ((1U << levelBits) - 1);
    }
};

/// All pixels ordered by branch, level, number. A *run* is the pixels of one branch and level.
struct SortedPixels {
    const std::uint64_t* keys;
    const std::uint32_t* pixels; ///< nullptr if the keys hold them
    KeyLayout layout;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixel(std::size_t k) const noexcept {
        return pixels != nullptr ? pixels[k]
                                 : static_cast<std::uint32_t>(keys[k] & ((std::uint64_t{1} << layout.pixelBits) - 1));
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t branch(std::size_t k) const noexcept {
        return layout.branch(keys[k]);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t level(std::size_t k) const noexcept {
        return layout.level(keys[k]);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool startsBranch(std::size_t k) const noexcept {
        return k == 0 || branch(k) != branch(k - 1);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool startsRun(std::size_t k) const noexcept {
        return k == 0 || !isSameRun(k, k - 1);
    }
    /// First place of the run of place @p k, by exponential and then binary search: at most two reads per bit of the
    /// run's length.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t startOfRun(std::uint32_t k) const noexcept {
        std::uint32_t end = k; // in the run
        std::uint32_t step = 1;
        while (step <= end && isSameRun(end - step, k)) {
            end -= step;
            step *= 2;
        }
        std::uint32_t start = step <= end ? end - step + 1 : 0; // not after the run's start
        while (start < end) {
            const std::uint32_t middle = start + (end - start) / 2;
            if (isSameRun(middle, k)) {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
        return end;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE bool isSameRun(std::size_t one, std::size_t other) const noexcept {
        return (keys[one] ^ keys[other]) >> layout.pixelBits == 0;
    }
};
static_assert(std::is_trivially_copyable_v<SortedPixels>);

} // namespace pollard::cuda
