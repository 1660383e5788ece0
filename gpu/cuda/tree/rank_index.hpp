#pragma once

#include "cuda/device/host_device.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// A set of pixels as a bit mask with the number of members before each word of 32 pixels. Gives the rank of a pixel
/// with two loads and a quarter of a byte per pixel, without an array of node indices per pixel.
struct RankIndex {
    const std::uint32_t* mask;   ///< bit p % 32 of word p / 32 is set if pixel p is a member
    const std::uint32_t* before; ///< per word: members in earlier words; one element more than there are words

    [[nodiscard]] POLLARD_HOST_DEVICE bool contains(std::size_t pixel) const noexcept {
        return ((mask[pixel / 32] >> (pixel % 32)) & 1U) != 0;
    }
    /// Number of members before @p pixel: the index of a member in raster order.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rank(std::size_t pixel) const noexcept {
        const std::uint32_t earlier = mask[pixel / 32] & ((1U << (pixel % 32)) - 1U);
#ifdef __CUDA_ARCH__
        return before[pixel / 32] + static_cast<std::uint32_t>(__popc(earlier));
#else
        return before[pixel / 32] + static_cast<std::uint32_t>(std::popcount(earlier));
#endif
    }
};

[[nodiscard]] constexpr std::size_t wordsOf(std::size_t pixels) noexcept { return (pixels + 31) / 32; }

} // namespace pollard::cuda
