#pragma once

#include "cuda/components/ha4/root_numbers.hpp"
#include "cuda/components/ha4/segment_forest.hpp"

#include <cstdint>

namespace pollard::cuda::ha4 {

/// Writes the value of the thread at its segment's start to every pixel of a word, or 0 to clear pixels. Called by all
/// threads of the warp.
/// @param ofStart value of the segment that starts at pixelOf(own, lane)
/// @param width pixels from the word's first to the end of the row
/// @param clear whether clear pixels are written too
template <class Word> POLLARD_DEVICE void spread(std::uint32_t* labels, Word own, std::uint32_t lane,
                                                 std::uint32_t first, std::uint32_t width, std::uint32_t ofStart,
                                                 bool clear) {
    for (std::uint32_t at = lane; at < kPixels<Word>; at += kWarp) {
        const bool set = isSet(own, at);
        const std::uint32_t start = set ? at - startDistance(own, at) : at;
        const std::uint32_t label = fromLane(ofStart, laneOf<Word>(start));
        if (set || (clear && at < width)) {
            labels[first + at] = set ? label : 0;
        }
    }
}

/// Relabelling (algorithm 5), one warp per word: the thread at a segment's start finds the root and passes it to the
/// other pixels.
template <class Word> struct RelabelPass {
    static constexpr std::uint32_t kThreads = ha4::kThreads;
    struct Memory {};

    DeviceMask mask;
    std::uint32_t* labels; ///< every set pixel receives its root's number

    POLLARD_DEVICE void operator()(Memory&) const {
        const WarpPlace place = WarpPlace::of(columnsOf<Word>(mask.width));
        if (place.row >= mask.height) {
            return;
        }
        const Word own = maskWord<Word>(mask, place.column, place.row);
        const std::uint32_t first = place.row * mask.width + place.column * kPixels<Word>;
        const std::uint32_t at = pixelOf(own, place.lane);
        const std::uint32_t root = isStart(own, at) ? rootOf(labels, first + at) : 0;
        spread(labels, own, place.lane, first, mask.width - place.column * kPixels<Word>, root, false);
    }
};

/// Added to the paper: turns the roots' numbers into labels 1..n in raster order; clear pixels become 0.
template <class Word> struct NumberPass {
    static constexpr std::uint32_t kThreads = ha4::kThreads;
    struct Memory {};

    DeviceMask mask;
    RootNumbers numbers;
    std::uint32_t* labels; ///< as written by RelabelPass

    POLLARD_DEVICE void operator()(Memory&) const {
        const WarpPlace place = WarpPlace::of(columnsOf<Word>(mask.width));
        if (place.row >= mask.height) {
            return;
        }
        const Word own = maskWord<Word>(mask, place.column, place.row);
        const std::uint32_t x = place.column * kPixels<Word>;
        const std::uint32_t first = place.row * mask.width + x;
        const std::uint32_t at = pixelOf(own, place.lane);
        const std::uint32_t label = isStart(own, at) ? numbers.of(labels[first + at]) + 1 : 0;
        spread(labels, own, place.lane, first, mask.width - x, label, true);
    }
};

} // namespace pollard::cuda::ha4
