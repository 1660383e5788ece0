#pragma once

#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/run_piece.hpp"
#include "cuda/components/warp_sum.hpp"

#include <cstdint>

namespace pollard::cuda {

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

    /// Sum over the threads of the warp; called by all of them.
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

} // namespace pollard::cuda
