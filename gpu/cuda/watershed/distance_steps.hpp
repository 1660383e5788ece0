#pragma once

#include "base/compiler.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/components/object_atomics.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

// The passes of the exact squared Euclidean distance transform (docs/algorithms-components.md, distance transform).

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

/// The passes along an axis find the smallest values[q] + (i - q)^2 of each line, at every 256th pixel i, then at every
/// 16th, then at every one; the first pass at the last pixel, too. The q at which it is the smallest does not fall with
/// i, so a pass looks only between the results of the pass before.
inline constexpr std::uint32_t kDistanceStep = 16;

/// Lines of pixels along an axis: line b * width + c begins at pixel b * block + c.
struct DeviceLines {
    std::uint32_t length; ///< of a line, up to 65,535 px
    std::uint32_t width;
    std::uint64_t stride; ///< between two pixels of a line
    std::uint64_t block;
    std::uint64_t count; ///< of lines

    /// Slot of the last pixel in an array of results for every kDistanceStep-th pixel and for the last one.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t lastSlot() const { return (length - 1) / kDistanceStep + 1; }

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t start(std::uint64_t line) const {
        return line >> 32U == 0 ? std::uint64_t{static_cast<std::uint32_t>(line) / width} * block +
                                      static_cast<std::uint32_t>(line) % width
                                : line / width * block + line % width;
    }
};

/// Values of a line: distances of 16 bits, or squared ones of 32 bits.
template <class Value> [[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t squareOf(Value value) {
    if constexpr (sizeof(Value) == sizeof(std::uint32_t)) {
        return value;
    } else {
        return value == kNoUnset<Value> ? kNoUnset<std::uint32_t> : std::uint32_t{value} * value;
    }
}

/// The first pass, for each line and place, the last pixel too: looks from the pixel outwards, as far as a nearer one
/// may be.
template <class Value> struct FindCoarse {
    DeviceLines lines;
    const Value* values;
    std::uint32_t apart;    ///< pixels between two places
    std::uint16_t* nearest; ///< per slot and line

    [[nodiscard]] std::uint64_t count() const { return ((lines.length - 1) / apart + 2) * lines.count; }

    POLLARD_HOST_DEVICE void operator()(std::size_t index) const {
        constexpr std::uint32_t kAhead = 8; // loads under way in each direction
        const std::uint64_t line = index % lines.count;
        const std::uint32_t last = lines.length - 1;
        const std::uint32_t place = static_cast<std::uint32_t>(index / lines.count) * apart;
        const std::uint32_t i = place <= last ? place : last;
        const Value* lower = values + lines.start(line) + i * lines.stride;
        const Value* upper = lower;
        std::uint32_t best = kNoUnset<std::uint32_t>;
        std::uint32_t at = i;
        for (std::uint32_t away = 0; away * away < best && (away <= i || away <= last - i); away += kAhead) {
            Value down[kAhead];
            Value up[kAhead];
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kAhead; ++k) {
                down[k] = away + k <= i ? *(lower - k * lines.stride) : kNoUnset<Value>;
                up[k] = away + k <= last - i ? *(upper + k * lines.stride) : kNoUnset<Value>;
            }
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kAhead; ++k) {
                const std::uint32_t square = (away + k) * (away + k);
                improve(best, at, squareOf(down[k]), square, i - away - k);
                improve(best, at, squareOf(up[k]), square, i + away + k);
            }
            lower -= kAhead * lines.stride;
            upper += kAhead * lines.stride;
        }
        const std::uint32_t slot = place <= last ? place / kDistanceStep : lines.lastSlot();
        nearest[slot * lines.count + line] = static_cast<std::uint16_t>(at);
    }

private:
    POLLARD_HOST_DEVICE static void improve(std::uint32_t& best, std::uint32_t& at, std::uint32_t square,
                                            std::uint32_t away, std::uint32_t pixel) {
        if (square != kNoUnset<std::uint32_t> && square + away < best) {
            best = square + away;
            at = pixel;
        }
    }
};

/// A later pass, for each line and interval between two places of the pass before: all kDistanceStep places of the
/// interval together, each value is read once. The last pass writes squared distances.
template <class Value, bool kLast> struct FindBetween {
    DeviceLines lines;
    const Value* values;
    std::uint32_t apart;    ///< pixels between two places
    bool isFirst;           ///< there is no pass before, so there is one interval
    std::uint16_t* nearest; ///< per slot and line
    std::uint32_t* out;     ///< of the last pass

    [[nodiscard]] std::uint64_t count() const {
        return ((lines.length - 1) / (apart * kDistanceStep) + 1) * lines.count;
    }

    POLLARD_HOST_DEVICE void operator()(std::size_t index) const {
        const std::uint64_t line = index % lines.count;
        const std::uint32_t interval = apart * kDistanceStep;
        const std::uint32_t from = static_cast<std::uint32_t>(index / lines.count) * interval;
        const std::uint32_t beyond =
            lines.length - from > interval ? (from + interval) / kDistanceStep : lines.lastSlot();
        const std::uint32_t low = isFirst ? 0 : resultAt(from / kDistanceStep, line);
        const std::uint32_t high = isFirst ? lines.length - 1 : resultAt(beyond, line);
        std::uint32_t best[kDistanceStep];
        std::uint32_t at[kDistanceStep];
        POLLARD_UNROLL
        for (std::uint32_t k = 0; k != kDistanceStep; ++k) {
            best[k] = kNoUnset<std::uint32_t>;
            at[k] = from + k * apart;
        }
        const Value* const first = values + lines.start(line);
        search(first, from, low, high, best, at);
        POLLARD_UNROLL
        for (std::uint32_t k = 0; k != kDistanceStep; ++k) {
            const std::uint32_t i = from + k * apart;
            if (i < lines.length) {
                if constexpr (kLast) {
                    out[lines.start(line) + i * lines.stride] = best[k];
                } else if (k != 0) { // the nearest of the interval's begin is known
                    nearest[i / kDistanceStep * lines.count + line] = static_cast<std::uint16_t>(at[k]);
                }
            }
        }
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t resultAt(std::uint32_t slot, std::uint64_t line) const {
        return nearest[slot * lines.count + line];
    }

    POLLARD_HOST_DEVICE void search(const Value* line, std::uint32_t from, std::uint32_t low, std::uint32_t high,
                                    std::uint32_t (&best)[kDistanceStep], std::uint32_t (&at)[kDistanceStep]) const {
        constexpr std::uint32_t kAhead = 8; // loads under way
        const Value* next = line + low * lines.stride;
        for (std::uint32_t pixel = low; pixel <= high; pixel += kAhead) {
            Value ahead[kAhead];
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kAhead; ++k) {
                ahead[k] = pixel + k <= high ? *(next + k * lines.stride) : kNoUnset<Value>;
            }
            next += kAhead * lines.stride;
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kAhead; ++k) {
                if (ahead[k] != kNoUnset<Value>) {
                    improveAll(squareOf(ahead[k]), pixel + k, from, best, at);
                }
            }
        }
    }

    POLLARD_HOST_DEVICE void improveAll(std::uint32_t square, std::uint32_t pixel, std::uint32_t from,
                                        std::uint32_t (&best)[kDistanceStep],
                                        std::uint32_t (&at)[kDistanceStep]) const {
        POLLARD_UNROLL
        for (std::uint32_t k = 0; k != kDistanceStep; ++k) {
            const std::uint32_t away = from + k * apart - pixel; // squares of negative distances are right, too
            const std::uint32_t value = square + away * away;
            if constexpr (!kLast) {
                at[k] = value < best[k] ? pixel : at[k];
            }
            best[k] = value < best[k] ? value : best[k];
        }
    }
};

} // namespace pollard::cuda
