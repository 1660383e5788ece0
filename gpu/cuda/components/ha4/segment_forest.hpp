#pragma once

#include "cuda/components/device_mask.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
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

// The forest of equivalent segments is stored in the label image: a segment is named by the number of its first pixel
// (y * width + x), and that pixel holds the number of a segment that is not larger. Other pixels are unset. Numbers
// only decrease, so a stale one still belongs to the same tree.

/// Follows the forest to its root.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t rootOf(const std::uint32_t* labels, std::uint32_t label) {
    std::uint32_t up = loadCached(labels + label);
    while (up != label) {
        label = up;
        up = loadCached(labels + label);
    }
    return label;
}

/// Joins two trees (algorithm 2; from Playne & Hawick 2018, after Komura 2015): links the larger root to the smaller
/// one.
POLLARD_DEVICE inline void join(std::uint32_t* labels, std::uint32_t a, std::uint32_t b) {
    while (a != b) {
        const std::uint32_t up = loadCached(labels + a);
        if (up == a) {
            break;
        }
        a = up;
    }
    while (a != b) {
        const std::uint32_t up = loadCached(labels + b);
        if (up == b) {
            break;
        }
        b = up;
    }
    while (a != b) {
        if (a < b) {
            const std::uint32_t larger = b;
            b = a;
            a = larger;
        }
        const std::uint32_t before = lowered(labels + a, b);
        a = before == a ? b : before; // if it was no longer a root, its parent remains to be joined
    }
}

/// Joins two segments of adjacent rows that touch in the calling thread's pixel, if either segment starts there;
/// otherwise they touch in the preceding pixel, too.
/// @param first number of the first pixel of the word in the lower row
/// @param ownReach,aboveReach number of consecutive set pixels just before the first pixel of the word
template <class Word> POLLARD_DEVICE void joinRows(std::uint32_t* labels, Word own, Word above, std::uint32_t lane,
                                                   std::uint32_t first, std::uint32_t width, std::uint32_t ownReach,
                                                   std::uint32_t aboveReach) {
    const Word both = own & above;
    const std::uint32_t at = pixelOf(both, lane);
    if (!isSet(both, at)) {
        return;
    }
    const std::uint32_t ownDistance = at == 0 ? ownReach : startDistance(own, at);
    const std::uint32_t aboveDistance = at == 0 ? aboveReach : startDistance(above, at);
    if (ownDistance == 0 || aboveDistance == 0) {
        join(labels, first + at - ownDistance, first + at - width - aboveDistance);
    }
}

} // namespace pollard::cuda::ha4
