#pragma once

#include "cuda/device/host_device.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace pollard::cuda {

/// Up to kMost consecutive pixels, read in one or two aligned loads.
template <class Pixel> class FetchedPixels {
public:
    static constexpr std::uint32_t kMost = 8; ///< the allocated number of pixels is a multiple of this

    /// No pixels.
    FetchedPixels() = default;

    /// @param pixels aligned to kMost pixels
    /// @param count at most kMost
    POLLARD_HOST_DEVICE void fetch(const Pixel* pixels, std::size_t place, std::uint32_t count) noexcept {
        if (count == 0) {
            return;
        }
        first_ = static_cast<std::uint32_t>(place % kMost);
        last_ = first_ + count;
        load(pixels + (place - first_), words_);
        if (last_ > kMost) {
            load(pixels + (place - first_ + kMost), words_ + kWords);
        }
    }
    /// Adds the levels and their squares to the sums.
    POLLARD_HOST_DEVICE void addTo(std::uint64_t& levels, std::uint64_t& squares) const noexcept {
        add(0, levels, squares);
        if (last_ > kMost) {
            add(kMost, levels, squares);
        }
    }

private:
    static constexpr std::uint32_t kBits = std::numeric_limits<Pixel>::digits;
    static constexpr std::uint32_t kWords = kMost * sizeof(Pixel) / sizeof(std::uint64_t);
    static constexpr std::uint32_t kOfWord = kMost / kWords;

    POLLARD_HOST_DEVICE static void load(const Pixel* from, std::uint64_t* words) noexcept {
#ifdef __CUDA_ARCH__
        if constexpr (kWords == 2) {
            const ulonglong2 both = *reinterpret_cast<const ulonglong2*>(from);
            words[0] = both.x;
            words[1] = both.y;
        } else {
            words[0] = *reinterpret_cast<const std::uint64_t*>(from);
        }
#else
        std::memcpy(words, from, kWords * sizeof(std::uint64_t));
#endif
    }
    POLLARD_HOST_DEVICE void add(std::uint32_t start, std::uint64_t& levels, std::uint64_t& squares) const noexcept {
        std::uint32_t sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t i = 0; i < kMost; ++i) {
            const std::uint64_t word = words_[start / kOfWord + i / kOfWord];
            const bool isOne = start + i >= first_ && start + i < last_;
            const std::uint32_t level = isOne ? static_cast<Pixel>(word >> (i % kOfWord * kBits)) : 0;
            sum += level;
            squares += level * level;
        }
        levels += sum;
    }

    std::uint64_t words_[2 * kWords] = {};
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
};

} // namespace pollard::cuda
