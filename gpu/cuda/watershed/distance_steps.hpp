#pragma once

#include "base/compiler.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/components/object_atomics.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

// The passes of the exact squared Euclidean distance transform (docs/algorithms-segmentation.md, distance transform).

namespace pollard::cuda {

/// A pixel of a row without unset pixels, and a line of such.
template <class Value> inline constexpr Value kNoUnset = static_cast<Value>(~Value{0});

/// Pass 1, a warp for each row: the distance of each pixel to the nearest unset pixel of its row, px.
struct MeasureRows {
    static constexpr std::uint32_t kThreads = 128;
    static constexpr std::uint32_t kRows = kThreads / 32; ///< of a block
    struct Memory {};

    DeviceMask mask;      ///< up to 65,535 px wide
    std::uint16_t* after; ///< per word: the first unset pixel to its right
    std::uint16_t* out;

    POLLARD_DEVICE void operator()(Memory& /*memory*/) const {
        const std::uint32_t y = blockOfGrid() * kRows + threadOfBlock() / 32;
        if (y < mask.height) {
            findAfter(y);
            measure(y);
        }
    }

private:
    static constexpr std::uint32_t kNone = kNoUnset<std::uint16_t>;

    [[nodiscard]] POLLARD_DEVICE static std::uint32_t lane() { return threadOfBlock() % 32; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t groups() const { return (mask.wordsOfRow() + 31) / 32; }

    /// The unset pixels of a word.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t unsetIn(std::uint32_t word, std::uint32_t y) const {
        const std::uint32_t last = mask.wordsOfRow() - 1;
        if (word > last) {
            return 0;
        }
        const std::uint32_t beyond = word == last && mask.width % 32 != 0 ? ~0U << mask.width % 32 : 0;
        return ~mask.word(word, y) & ~beyond;
    }

    POLLARD_DEVICE void findAfter(std::uint32_t y) const {
        std::uint32_t next = kNone; // beyond the group
        for (std::uint32_t group = groups(); group-- != 0;) {
            const std::uint32_t word = group * 32 + lane();
            const std::uint32_t unset = unsetIn(word, y);
            const std::uint32_t first = unset == 0 ? kNone : word * 32 + static_cast<std::uint32_t>(lowestBit(unset));
            const std::uint32_t having = ballot(unset != 0);
            const std::uint32_t right = having & (~1U << lane());
            const std::uint32_t nearest =
                fromLane(first, right == 0 ? lane() : static_cast<std::uint32_t>(lowestBit(right)));
            if (word < mask.wordsOfRow()) {
                after[std::size_t{y} * mask.wordsOfRow() + word] =
                    static_cast<std::uint16_t>(right == 0 ? next : nearest);
            }
            const std::uint32_t firstOfAll =
                fromLane(first, having == 0 ? 0 : static_cast<std::uint32_t>(lowestBit(having)));
            next = having == 0 ? next : firstOfAll;
        }
    }

    POLLARD_DEVICE void measure(std::uint32_t y) const {
        std::uint32_t previous = kNone; // before the group
        for (std::uint32_t group = 0; group != groups(); ++group) {
            const std::uint32_t word = group * 32 + lane();
            const std::uint32_t unset = unsetIn(word, y);
            const std::uint32_t last = unset == 0 ? kNone : word * 32 + highestBit(unset);
            const std::uint32_t having = ballot(unset != 0);
            const std::uint32_t left = having & ~(~0U << lane());
            const std::uint32_t nearest = fromLane(last, left == 0 ? lane() : highestBit(left));
            const std::uint32_t before = left == 0 ? previous : nearest;
            const std::uint32_t next =
                word < mask.wordsOfRow() ? after[std::size_t{y} * mask.wordsOfRow() + word] : kNone;
            for (std::uint32_t k = 0; k != 32 && group * 32 + k < mask.wordsOfRow(); ++k) {
                write(group * 32 + k, y, fromLane(unset, k), fromLane(before, k), fromLane(next, k));
            }
            const std::uint32_t lastOfAll = fromLane(last, having == 0 ? 0 : highestBit(having));
            previous = having == 0 ? previous : lastOfAll;
        }
    }

    /// Writes the pixel of a word that has the number of the lane.
    POLLARD_DEVICE void write(std::uint32_t word, std::uint32_t y, std::uint32_t unset, std::uint32_t before,
                              std::uint32_t next) const {
        const std::uint32_t x = word * 32 + lane();
        if (x >= mask.width) {
            return;
        }
        const std::uint32_t upTo = unset & ~(~1U << lane());
        const std::uint32_t from = unset >> lane();
        const std::uint32_t left = upTo == 0 ? before : word * 32 + highestBit(upTo);
        const std::uint32_t right = from == 0 ? next : x + static_cast<std::uint32_t>(lowestBit(from));
        const std::uint32_t toLeft = left == kNone ? kNone : x - left;
        const std::uint32_t toRight = right == kNone ? kNone : right - x;
        out[std::size_t{y} * mask.width + x] = static_cast<std::uint16_t>(toLeft < toRight ? toLeft : toRight);
    }
};

/// Lines of pixels along an axis: line b * width + c begins at pixel b * block + c.
struct DeviceLines {
    std::uint32_t length; ///< of a line, up to 65,535 px
    std::uint32_t width;
    std::uint64_t stride; ///< between two pixels of a line
    std::uint64_t block;
    std::uint64_t count; ///< of lines

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t start(std::uint64_t line) const {
        return line >> 32U == 0 ? std::uint64_t{static_cast<std::uint32_t>(line) / width} * block +
                                      static_cast<std::uint32_t>(line) % width
                                : line / width * block + line % width;
    }
};

/// Passes along an axis: the smallest values[q] + (i - q)^2 of each line, at every 256th, then every 16th, then every
/// pixel i. As the nearest q does not fall with i, a pass looks only between the results of the pass before; it looks
/// from i outwards, as far as nearer pixels than the best may be.
/// @tparam Value 16 bits: distances; 32 bits: squared ones
template <class Value, bool kLast> struct FindNearest {
    static constexpr std::uint32_t kStep = 16; ///< pixels between results of a pass for one of the next pass

    DeviceLines lines;
    const Value* values;
    std::uint32_t apart;    ///< pixels between results
    bool isFirst;           ///< there is no pass before
    std::uint16_t* nearest; ///< per line and kStep pixels
    std::uint32_t* out;     ///< squared distances; of the last pass

    [[nodiscard]] static std::uint64_t count(const DeviceLines& lines, std::uint32_t apart) {
        return ((lines.length - 1) / apart + 1) * lines.count;
    }

    POLLARD_HOST_DEVICE void operator()(std::size_t index) const {
        const bool isShort = index >> 32U == 0 && lines.count >> 32U == 0;
        const auto place = static_cast<std::uint32_t>(isShort ? static_cast<std::uint32_t>(index) /
                                                                    static_cast<std::uint32_t>(lines.count)
                                                              : index / lines.count);
        const std::uint64_t line = index - place * lines.count;
        const std::uint32_t i = place * apart;
        const std::uint32_t coarser = apart * kStep;
        if (!kLast && !isFirst && i % coarser == 0) {
            return;
        }
        std::uint32_t low = 0;
        std::uint32_t high = lines.length - 1;
        if (!isFirst) {
            const std::uint32_t before = i / coarser * coarser;
            low = resultAt(before, line);
            high = lines.length - before > coarser ? resultAt(before + coarser, line) : high;
        }
        const Found found = search(values + lines.start(line), i, low, high);
        if constexpr (kLast) {
            out[lines.start(line) + i * lines.stride] = found.square;
        } else {
            nearest[i / kStep * lines.count + line] = static_cast<std::uint16_t>(found.at);
        }
    }

private:
    struct Found {
        std::uint32_t square;
        std::uint32_t at;
    };

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t resultAt(std::uint32_t i, std::uint64_t line) const {
        return nearest[i / kStep * lines.count + line];
    }

    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t squareOf(Value value) {
        if constexpr (sizeof(Value) == sizeof(std::uint32_t)) {
            return value;
        } else {
            return value == kNoUnset<Value> ? kNoUnset<std::uint32_t> : std::uint32_t{value} * value;
        }
    }

    /// The nearest of the pixels @p low to @p high of a line.
    [[nodiscard]] POLLARD_HOST_DEVICE Found search(const Value* line, std::uint32_t i, std::uint32_t low,
                                                   std::uint32_t high) const {
        constexpr std::uint32_t kAhead = kLast ? 2 : 8; // loads under way
        Found found{kNoUnset<std::uint32_t>, i};
        std::uint32_t away = i < low ? low - i : i > high ? i - high : 0;
        while (away * away < found.square && (i + away <= high || low + away <= i)) {
            std::uint32_t lower[kAhead];
            std::uint32_t upper[kAhead];
            for (std::uint32_t k = 0; k != kAhead; ++k) {
                const std::uint32_t d = away + k;
                lower[k] = low + d <= i ? squareOf(line[(i - d) * lines.stride]) : kNoUnset<std::uint32_t>;
                upper[k] = i + d <= high ? squareOf(line[(i + d) * lines.stride]) : kNoUnset<std::uint32_t>;
            }
            for (std::uint32_t k = 0; k != kAhead; ++k) {
                const std::uint32_t d = away + k;
                improve(found, lower[k], i - d, d);
                improve(found, upper[k], i + d, d);
            }
            away += kAhead;
        }
        return found;
    }

    POLLARD_HOST_DEVICE static void improve(Found& found, std::uint32_t square, std::uint32_t at, std::uint32_t away) {
        if (square != kNoUnset<std::uint32_t> && square + away * away < found.square) {
            found = {square + away * away, at};
        }
    }
};

} // namespace pollard::cuda
