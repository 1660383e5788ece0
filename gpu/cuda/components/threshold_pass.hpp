#pragma once

#include "base/compiler.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Makes the mask of thresholdMask(): the pixels with low <= level <= high. A warp makes kWordsOfWarp words of 32
/// pixels, each lane one pixel of each word, so that loads and stores are coalesced.
template <class Level> struct ThresholdPass {
    static constexpr std::uint32_t kThreads = 256;
    static constexpr std::uint32_t kWordsOfWarp = 4; ///< also the loads of a lane in flight at once
    struct Memory {};

    const Level* pixels;         ///< row-major
    std::uint32_t* words;        ///< of a DeviceMask; every word is written
    std::uint32_t width, height; ///< px
    std::uint32_t low, high;

    [[nodiscard]] static constexpr std::uint64_t wordCount(std::uint32_t width, std::uint32_t height) {
        return (std::uint64_t{width} + 63) / 64 * 2 * height;
    }
    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t width, std::uint32_t height) {
        constexpr std::uint64_t kWords = kThreads / 32 * kWordsOfWarp;
        return static_cast<std::uint32_t>((wordCount(width, height) + kWords - 1) / kWords);
    }

    POLLARD_DEVICE void operator()(Memory&) const {
        const std::uint64_t warp = std::uint64_t{blockOfGrid()} * (kThreads / 32) + threadOfBlock() / 32;
        static_cast<void>(make(warp * kWordsOfWarp, stride() * height));
    }

    /// Words between the starts of two rows of the mask.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t stride() const { return (std::uint64_t{width} + 63) / 64 * 2; }

    /// Makes kWordsOfWarp words from @p first on, limited by @p end. Called by all threads of the warp.
    /// @return in lane k < kWordsOfWarp word k; undefined in other lanes
    POLLARD_DEVICE std::uint32_t make(std::uint64_t first, std::uint64_t end) const {
        const std::uint32_t lane = threadOfBlock() % 32;
        bool in[kWordsOfWarp];
        for (std::uint32_t k = 0; k < kWordsOfWarp; ++k) {
            in[k] = first + k < end && isIn(first + k, lane);
        }
        std::uint32_t own = 0;
        for (std::uint32_t k = 0; k < kWordsOfWarp; ++k) {
            const std::uint32_t bits = ballot(in[k]);
            own = lane == k ? bits : own;
        }
        if (lane < kWordsOfWarp && first + lane < end) {
            words[first + lane] = own;
        }
        return own;
    }

private:
    [[nodiscard]] POLLARD_DEVICE bool isIn(std::uint64_t word, std::uint32_t lane) const {
        const auto wordsOfRow = static_cast<std::uint32_t>(stride());
        const std::uint64_t y = word / wordsOfRow;
        const std::uint64_t x = word % wordsOfRow * 32 + lane;
        if (x >= width) {
            return false;
        }
        const std::uint32_t level = pixels[y * width + x];
        return low <= level && level <= high;
    }
};

} // namespace pollard::cuda
