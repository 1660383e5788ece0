#pragma once

#include "cuda/components/ha4/segment_bits.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda::ha4 {

/// Ranks of the roots in raster order. The paper names objects by the pixel numbers of their roots; these numbers have
/// no gaps.
struct RootNumbers {
    const std::uint32_t*
        roots; ///< a bit a pixel: whether it is a root; words of 32 pixels, rows of DeviceMask::stride()
    const std::uint32_t* earlier; ///< per word: number of roots in earlier words
    std::size_t stride;
    std::uint32_t width;

    /// Number of roots before @p root.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t of(std::uint32_t root) const {
        const std::uint32_t y = root / width;
        const std::uint32_t x = root - y * width;
        const std::size_t word = y * stride + x / 32;
        return earlier[word] + countBits(roots[word] & ((1U << x % 32) - 1));
    }
};

/// Marks the roots of the forest, one warp per word, and counts them per word.
template <class Word> struct MarkRootsPass {
    static constexpr std::uint32_t kThreads = ha4::kThreads;
    struct Memory {};

    DeviceMask mask;
    const std::uint32_t* labels;
    std::uint32_t* roots;  ///< of RootNumbers; every word is written, including those beyond the width
    std::uint32_t* counts; ///< per word: number of roots

    /// Words of a row.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t columns(const DeviceMask& mask) {
        return static_cast<std::uint32_t>(mask.stride()) / (kPixels<Word> / kWarp);
    }

    POLLARD_DEVICE void operator()(Memory&) const {
        const WarpPlace place = WarpPlace::of(columns(mask));
        if (place.row >= mask.height) {
            return;
        }
        const Word own = maskWord<Word>(mask, place.column, place.row);
        const std::uint32_t first = place.row * mask.width + place.column * kPixels<Word>;
        constexpr std::uint32_t kHalves = kPixels<Word> / kWarp;
        for (std::uint32_t half = 0; half < kHalves; ++half) {
            const std::uint32_t at = half * kWarp + place.lane;
            const std::uint32_t marks = ballot(isStart(own, at) && labels[first + at] == first + at);
            if (place.lane == 0) {
                const std::size_t word = place.row * mask.stride() + place.column * kHalves + half;
                roots[word] = marks;
                counts[word] = countBits(marks);
            }
        }
    }
};

/// Step: number of bits set in a word.
struct CountBitsOf {
    const std::uint32_t* words;

    POLLARD_DEVICE std::uint32_t operator()(std::size_t i) const { return countBits(words[i]); }
};

} // namespace pollard::cuda::ha4
