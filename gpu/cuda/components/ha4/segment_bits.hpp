#pragma once

#include "cuda/components/device_mask.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>
#include <type_traits>

// Rows of the mask as in HA4: words of as many pixels as a warp handles at once, and segments, the runs of set pixels
// within a word. A run that continues in the next word is a segment of its own there.

namespace pollard::cuda::ha4 {

inline constexpr std::uint32_t kWarp = 32;
/// Rows of a strip, and of every other block: one warp each.
inline constexpr std::uint32_t kRows = 4;
inline constexpr std::uint32_t kThreads = kWarp * kRows;

/// Pixels of a word: 32, one per thread, or 64, two per thread.
template <class Word> inline constexpr std::uint32_t kPixels = 8 * sizeof(Word);

template <class Word> [[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t columnsOf(std::uint32_t width) {
    return (width - 1) / kPixels<Word> + 1;
}

/// Word @p column of row @p y. Pixels beyond the width are clear.
template <class Word>
[[nodiscard]] POLLARD_HOST_DEVICE Word maskWord(const DeviceMask& mask, std::uint32_t column, std::uint32_t y) {
    if constexpr (std::is_same_v<Word, std::uint64_t>) {
        return mask.word(2 * column, y) | std::uint64_t{mask.word(2 * column + 1, y)} << 32U;
    } else {
        return mask.word(column, y);
    }
}

template <class Word> [[nodiscard]] POLLARD_HOST_DEVICE bool isSet(Word word, std::uint32_t at) {
    return (word >> at & 1U) != 0;
}

[[nodiscard]] POLLARD_DEVICE inline std::uint32_t leadingZeros(std::uint32_t word) {
#ifdef __CUDACC__
    return static_cast<std::uint32_t>(__clz(static_cast<int>(word)));
#else
    return static_cast<std::uint32_t>(std::countl_zero(word));
#endif
}
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t leadingZeros(std::uint64_t word) {
#ifdef __CUDACC__
    return static_cast<std::uint32_t>(__clzll(static_cast<long long>(word)));
#else
    return static_cast<std::uint32_t>(std::countl_zero(word));
#endif
}
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t bitsOf(std::uint32_t word) { return countBits(word); }
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t bitsOf(std::uint64_t word) {
    return countBits(static_cast<std::uint32_t>(word)) + countBits(static_cast<std::uint32_t>(word >> 32U));
}

/// The paper's start_distance: number of consecutive set pixels just before pixel @p at, which may be the number of
/// pixels of a word. The printed version shifts by the width of the word if @p at is 0, which is undefined.
template <class Word> [[nodiscard]] POLLARD_DEVICE std::uint32_t startDistance(Word word, std::uint32_t at) {
    return at == 0 ? 0 : leadingZeros(static_cast<Word>(~(word << (kPixels<Word> - at))));
}

/// The paper's end_distance: number of consecutive set pixels from the set pixel @p at on. The printed version shifts
/// by the width of the word at the last pixel.
template <class Word> [[nodiscard]] POLLARD_DEVICE std::uint32_t endDistance(Word word, std::uint32_t at) {
    const Word clear = ~(word >> at);
    return clear == 0 ? kPixels<Word> : static_cast<std::uint32_t>(lowestBit(clear));
}

/// The pixel of the word assigned to thread @p lane: with two per thread, the first unless it is clear. Segments never
/// start at both of two neighbours, so no start is missed.
template <class Word> [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixelOf(Word word, std::uint32_t lane) {
    if constexpr (kPixels<Word> == kWarp) {
        return lane;
    } else {
        return 2 * lane + (isSet(word, 2 * lane) ? 0 : 1);
    }
}
/// The thread assigned to the start of a segment.
template <class Word> [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t laneOf(std::uint32_t start) {
    return start / (kPixels<Word> / kWarp);
}

/// Whether a segment starts at pixel @p at.
template <class Word> [[nodiscard]] POLLARD_HOST_DEVICE bool isStart(Word word, std::uint32_t at) {
    return isSet(word, at) && (at == 0 || !isSet(word, at - 1));
}

/// Word and row of the calling warp, in blocks of kRows rows by one word.
struct WarpPlace {
    std::uint32_t lane, column, row;

    [[nodiscard]] POLLARD_DEVICE static WarpPlace of(std::uint32_t columns) {
        const std::uint32_t block = blockOfGrid();
        const std::uint32_t group = block / columns;
        return {threadOfBlock() % kWarp, block - group * columns, group * kRows + threadOfBlock() / kWarp};
    }
    /// Number of blocks for @p rows rows.
    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t columns, std::uint32_t rows) {
        return columns * ((rows + kRows - 1) / kRows);
    }
};

} // namespace pollard::cuda::ha4
