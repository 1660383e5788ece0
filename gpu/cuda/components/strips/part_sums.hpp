#pragma once

#include "base/compiler.hpp"
#include "cuda/components/block_sum.hpp"
#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The part of a run in one word of the mask, in a strip of several rows, and its contacts with the row above.
struct RunPiece {
    std::uint32_t row;      ///< in the strip
    std::uint32_t x;        ///< first column
    std::uint32_t length;   ///< 1 .. 32
    std::uint32_t starts;   ///< 1 if the run starts here, else 0
    std::uint32_t shared;   ///< columns that are also set in the row above
    std::uint32_t contacts; ///< with runs of the row above, less than kMostContacts

    static constexpr std::uint32_t kMostContacts = 18;
    /// Bits of row and column together: a strip has at most 2^16 pixels.
    static constexpr std::uint32_t kPlaceBits = 16;

    /// Packs all members into one word. @param columnBits enough for every column of the image
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t packed(std::uint32_t columnBits) const {
        return (row << columnBits | x) | (length - 1) << kPlaceBits | starts << (kPlaceBits + 5) |
               (shared * kMostContacts + contacts) << (kPlaceBits + 6);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static RunPiece unpacked(std::uint32_t word, std::uint32_t columnBits) {
        const std::uint32_t place = word & ((1U << kPlaceBits) - 1);
        const std::uint32_t above = word >> (kPlaceBits + 6);
        const std::uint32_t shared = above / kMostContacts;
        return {place >> columnBits,
                place & ((1U << columnBits) - 1),
                (word >> kPlaceBits & 31U) + 1,
                word >> (kPlaceBits + 5) & 1U,
                shared,
                above - shared * kMostContacts};
    }
};

/// Sums over pieces of runs of a strip of several rows. Rows count from the top of the strip, which has at most 2^16
/// pixels, so 32 bits suffice for most sums.
struct PartSums {
    std::uint64_t sumXX = 0; ///< less than 2^48
    std::uint32_t pixels = 0;
    std::uint32_t sumX = 0;
    std::uint32_t sumY = 0;
    std::uint32_t sumXY = 0;
    std::uint32_t sumYY = 0;
    std::uint32_t left = 0xffff'ffffU;
    std::uint32_t right = 0;
    std::uint32_t rows = 0;  ///< one bit per row
    std::uint32_t sides = 0; ///< runs minus columns shared with the row above, modulo 2^32
    std::uint32_t euler = 0; ///< runs minus contacts with the row above, modulo 2^32

    POLLARD_DEVICE void add(const RunPiece& piece) {
        const std::uint32_t last = piece.length - 1;
        const std::uint32_t x = piece.length * piece.x + piece.length * last / 2;
        const std::uint32_t y = piece.length * piece.row;
        pixels += piece.length;
        sumX += x;
        sumY += y;
        sumXY += x * piece.row;
        sumYY += y * piece.row;
        sumXX += std::uint64_t{piece.length * piece.x} * piece.x + std::uint64_t{piece.x} * (piece.length * last) +
                 last * piece.length * (2 * piece.length - 1) / 6;
        left = piece.x < left ? piece.x : left;
        right = piece.x + last > right ? piece.x + last : right;
        rows |= 1U << piece.row;
        sides += piece.starts - piece.shared;
        euler += piece.starts - piece.contacts;
    }

    /// Sum over the threads of the warp; all threads call it.
    [[nodiscard]] POLLARD_DEVICE PartSums ofWarp() const {
        PartSums all;
        all.pixels = sumOfWarp(pixels);
        all.sumX = sumOfWarp(sumX);
        all.sumY = sumOfWarp(sumY);
        all.sumXY = sumOfWarp(sumXY);
        all.sumYY = sumOfWarp(sumYY);
        constexpr std::uint32_t kHalf = 24; // bits; 32 such halves sum to at most a word
        all.sumXX = sumOfWarp(static_cast<std::uint32_t>(sumXX) & ((1U << kHalf) - 1)) +
                    (std::uint64_t{sumOfWarp(static_cast<std::uint32_t>(sumXX >> kHalf))} << kHalf);
        all.left = leastOfWarp(left);
        all.right = mostOfWarp(right);
        all.rows = bitsOfWarp(rows);
        all.sides = sumOfWarp(sides);
        all.euler = sumOfWarp(euler);
        return all;
    }

    /// The record without grey levels.
    /// @param top image row of the strip's first row
    /// @param first whether this is the first part of its object
    [[nodiscard]] POLLARD_DEVICE ObjectRecord record(std::uint64_t top, bool first) const {
        const auto extended = [](std::uint32_t value) { // sign-extends a small number modulo 2^32 to modulo 2^64
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
        };
        ObjectRecord record{};
        record.area = pixels;
        record.left = left;
        record.right = right;
        record.top = static_cast<std::uint32_t>(top) + static_cast<std::uint32_t>(lowestBit(rows));
        record.bottom = static_cast<std::uint32_t>(top) + highestBit(rows);
        record.sumX = sumX;
        record.sumXX = sumXX;
        record.sumY = pixels * top + sumY;
        record.sumYY = (pixels * top + 2 * std::uint64_t{sumY}) * top + sumYY;
        record.sumXY = sumX * top + sumXY;
        record.perimeter = 2 * (record.area + extended(sides));
        record.holes = (first ? 1 : 0) - extended(euler);
        return record;
    }
};

/// Grey levels of a component of a strip.
struct LevelSums {
    std::uint32_t sum = 0;
    std::uint32_t range = 0; ///< as in ObjectRecord
};

/// A part of an object other than its first, in a strip of several rows.
struct alignas(16) StripPart { // stored in pieces of four words
    PartSums sums;
    std::uint32_t label;
    std::uint32_t top; ///< image row of the strip's first row
    LevelSums levels;

    [[nodiscard]] POLLARD_DEVICE ObjectRecord record() const {
        ObjectRecord record = sums.record(top, false);
        record.greySum = levels.sum;
        record.greyRange = levels.range;
        return record;
    }
};

/// Sum of grey levels, the smallest one, and in the upper half of the same word 65535 minus the largest, so that both
/// halves are minima.
struct PieceLevels {
    std::uint32_t sum = 0;
    std::uint32_t bounds = 0xffff'ffffU;

    POLLARD_DEVICE void add(std::uint32_t level) {
        sum += level;
        bounds = leastOfHalves(bounds, level | (0xffffU - level) << 16U);
    }
    /// Joins the values of the threads of the warp; all threads call it.
    [[nodiscard]] POLLARD_DEVICE PieceLevels ofWarp() const {
        return {sumOfWarp(sum), leastOfWarp(bounds >> 16U) << 16U | leastOfWarp(bounds & 0xffffU)};
    }
    [[nodiscard]] POLLARD_DEVICE LevelSums sums() const {
        return {sum, (0xffffU - (bounds >> 16U)) << 16U | (bounds & 0xffffU)};
    }
};

/// Loads the grey levels of pieces of runs.
template <class Level> struct StripLevels {
    using Sums = PieceLevels;

    static constexpr std::uint32_t kLoadedFirst = 4; ///< levels of a piece loaded before it is added

    /// The first levels of a piece; their loads may be in flight.
    struct FirstLevels {
        std::uint32_t levels[kLoadedFirst];
    };

    const Level* levels; ///< of the image
    std::uint32_t width; ///< px

    /// @param top image row of the strip's first row
    [[nodiscard]] POLLARD_DEVICE FirstLevels loadFirst(const RunPiece& piece, std::uint32_t top) const {
        return read(at(piece, top), piece.length);
    }
    /// @param loaded result of loadFirst() for this piece
    POLLARD_DEVICE void add(Sums& to, const RunPiece& piece, std::uint32_t top, FirstLevels loaded) const {
        const Level* const from = at(piece, top);
        for (std::uint32_t i = 0;;) {
            for (std::uint32_t k = 0; k < kLoadedFirst; ++k) {
                if (i + k < piece.length) {
                    to.add(loaded.levels[k]);
                }
            }
            i += kLoadedFirst;
            if (i >= piece.length) {
                return;
            }
            loaded = read(from + i, piece.length - i);
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE const Level* at(const RunPiece& piece, std::uint32_t top) const {
        return levels + (std::size_t{top + piece.row} * width + piece.x);
    }
    [[nodiscard]] POLLARD_DEVICE static FirstLevels read(const Level* from, std::uint32_t count) {
        FirstLevels loaded;
        for (std::uint32_t k = 0; k < kLoadedFirst; ++k) { // long loads, all in flight together
            loaded.levels[k] = from[k < count ? k : 0];
        }
        return loaded;
    }
};

/// Without a grey image.
template <> struct StripLevels<void> {
    struct Sums {
        [[nodiscard]] POLLARD_DEVICE Sums ofWarp() const { return {}; }
        [[nodiscard]] POLLARD_DEVICE LevelSums sums() const { return {}; }
    };
    struct FirstLevels {};

    const void* levels; ///< null
    std::uint32_t width;

    [[nodiscard]] POLLARD_DEVICE FirstLevels loadFirst(const RunPiece&, std::uint32_t) const { return {}; }
    POLLARD_DEVICE void add(Sums&, const RunPiece&, std::uint32_t, FirstLevels) const {}
};

} // namespace pollard::cuda
