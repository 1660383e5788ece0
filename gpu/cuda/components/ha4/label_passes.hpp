#pragma once

#include "cuda/components/ha4/segment_forest.hpp"

#include <cstdint>

namespace pollard::cuda::ha4 {

/// Strip labelling (algorithm 3), one block per strip of kRows rows: segment starts receive their own number, or that
/// of the previous word's segment that they continue, and segments of the strip that touch are joined.
///
/// The rows exchange their words through shared memory, with one barrier per word. As printed there is one place per
/// row: a warp that is ahead then writes its next word while the warp of the row below may still read the current one.
/// Here words alternate between two places (kPlaces): a place is written again only after another barrier, which no
/// reader of its old word has passed. The printed form is kept for a test that shows the error.
///
/// All threads of a block process all words, also where a row or a column lies beyond the image: pixels there are
/// clear, and all threads reach each barrier.
template <class Word, std::uint32_t kPlaces = 2> struct StripPass {
    static constexpr std::uint32_t kThreads = ha4::kThreads;
    struct Memory {
        Word rows[kPlaces][kRows];
    };

    DeviceMask mask;
    std::uint32_t* labels; ///< per pixel

    [[nodiscard]] static constexpr std::uint32_t blocks(std::uint32_t height) { return (height + kRows - 1) / kRows; }

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const std::uint32_t lane = threadOfBlock() % kWarp;
        const std::uint32_t row = threadOfBlock() / kWarp;
        const std::uint32_t y = blockOfGrid() * kRows + row;
        const std::uint32_t columns = columnsOf<Word>(mask.width);
        std::uint32_t ownReach = 0; // length of the run that ends the previous word
        std::uint32_t aboveReach = 0;
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::uint32_t first = y * mask.width + column * kPixels<Word>;
            const Word own = y < mask.height ? maskWord<Word>(mask, column, y) : 0;
            const std::uint32_t at = pixelOf(own, lane);
            if (isStart(own, at)) {
                labels[first + at] = first + at - (at == 0 ? ownReach : 0);
            }
            Word* const place = memory.rows[column % kPlaces];
            if (lane == 0) {
                place[row] = own;
            }
            meetThreads();
            const Word above = row > 0 ? place[row - 1] : 0;
            joinRows(labels, own, above, lane, first, mask.width, ownReach, aboveReach);
            ownReach = reachAfter(own, ownReach);
            aboveReach = reachAfter(above, aboveReach);
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t reachAfter(Word word, std::uint32_t before) {
        const std::uint32_t distance = startDistance(word, kPixels<Word>);
        return distance == kPixels<Word> ? distance + before : distance;
    }
};

/// Strip merge (algorithm 4), one warp per word of the first row of a strip: joins its segments with the segments
/// above.
template <class Word> struct MergePass {
    static constexpr std::uint32_t kThreads = ha4::kThreads;
    struct Memory {};

    DeviceMask mask;
    std::uint32_t* labels;

    /// Number of borders between strips.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t borders(std::uint32_t height) {
        return (height - 1) / kRows;
    }

    POLLARD_DEVICE void operator()(Memory&) const {
        const WarpPlace place = WarpPlace::of(columnsOf<Word>(mask.width));
        if (place.row >= borders(mask.height)) {
            return;
        }
        const std::uint32_t y = (place.row + 1) * kRows;
        joinRows(labels, maskWord<Word>(mask, place.column, y), maskWord<Word>(mask, place.column, y - 1), place.lane,
                 y * mask.width + place.column * kPixels<Word>, mask.width, 0, 0);
    }
};

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
