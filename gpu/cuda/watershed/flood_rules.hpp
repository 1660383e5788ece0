#pragma once

#include "cuda/device/device_image.hpp"
#include "cuda/watershed/flood_tile.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// When a pixel gets its label: the level and the round, in the order of flooding.
template <class Level> struct FloodTime {
    static constexpr std::uint32_t kRoundBits = 32 - 8 * sizeof(Level);
    static constexpr std::uint32_t kOutside = 0xffff'ffff; ///< not flooded
    static constexpr std::uint32_t kNever = 0xffff'fffe;
    /// The last round of a level that has a time of its own.
    static constexpr std::uint32_t kLastRound = (1U << kRoundBits) - 3;

    /// When the level begins: its seeds have their labels.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t begin(std::uint32_t level) {
        return level << kRoundBits;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t roundOf(std::uint32_t time) {
        return time & ((1U << kRoundBits) - 1);
    }
    /// When a pixel gets a label whose level begins at @p begins and whose first neighbour has a label since @p first:
    /// in the next round, at the pixel's level at the earliest.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t after(std::uint32_t first, std::uint32_t begins) {
        if (first >= kNever) {
            return kNever;
        }
        const std::uint32_t from = first < begins ? begins : first;
        return roundOf(from) >= kLastRound ? kNever : from + 1;
    }
};

/// To another cell.
template <class Shape> [[nodiscard]] POLLARD_HOST_DEVICE constexpr int stepTo(int x, int y, int z) {
    return z * static_cast<int>(Shape::kSlice) + y * static_cast<int>(Shape::kRow) + x;
}

POLLARD_DEVICE inline void lessen(std::uint32_t& least, std::uint32_t other) { least = other < least ? other : least; }

/// Values are FloodTimes.
template <class Level, int neighbours> struct TimeRule {
    using Time = FloodTime<Level>;
    static constexpr int kNeighbours = neighbours;
    static constexpr std::uint32_t kNone = Time::kOutside;
    template <class Shape> struct Memory {};

    LevelView<Level> levels;
    std::uint32_t* values;

    template <class Shape> struct Own {
        static constexpr std::uint32_t kEach = Shape::kEach;

        /// Whether a turn reads each time beside a column once, else for each pixel. On an H200, one reading makes the
        /// times of 18 and 26 neighbours 10 to 13 % faster, of 4, 8 and 6 neighbours 10 to 25 % slower.
        static constexpr bool kReadsOnce = neighbours > 8;

        /// The first times of pixels beside the column.
        struct Around {
            // From the row before the column to the row after it.
            std::uint32_t straight[kEach + 2]; ///< of pixels that are neighbours of the pixel in their row
            std::uint32_t slanted[kEach + 2]; ///< of pixels that are neighbours of the pixels in the rows beside theirs
            std::uint32_t before, after;      ///< of the pixels at the ends of the column
        };

        POLLARD_DEVICE void set(const TimeRule& rule, std::uint32_t k, std::size_t pixel) {
            begins[k] = Time::begin(rule.levels[pixel]);
        }
        POLLARD_DEVICE void look(const Memory<Shape>& /*memory*/, std::uint32_t /*first*/) {}

        /// @param before the time of the pixel before the column
        [[nodiscard]] POLLARD_DEVICE static Around timesAround(const std::uint32_t* before) {
            Around found;
            POLLARD_UNROLL
            for (std::uint32_t row = 0; row != kEach + 2; ++row) {
                found.straight[row] = found.slanted[row] = Time::kNever;
                const bool isInside = row != 0 && row != kEach + 1;
                forColumns<neighbours>([&](int x, int z) {
                    const int axes = x * x + z * z;
                    const bool isSlanted = axes < kMostAxes<neighbours>;
                    if (axes == 0 || !(isInside || isSlanted)) {
                        return;
                    }
                    const std::uint32_t time = loadFresh(before + row * Shape::kRow + stepTo<Shape>(x, 0, z));
                    lessen(found.straight[row], time);
                    if (isSlanted) {
                        lessen(found.slanted[row], time);
                    }
                });
            }
            found.before = loadFresh(before);
            found.after = loadFresh(before + (kEach + 1) * Shape::kRow);
            return found;
        }

        /// @param column the time of the first pixel
        [[nodiscard]] POLLARD_DEVICE static auto around(const std::uint32_t* column) {
            if constexpr (kReadsOnce) {
                return timesAround(column - Shape::kRow);
            } else {
                return column;
            }
        }

        /// @param own times of the column, which fall
        [[nodiscard]] POLLARD_DEVICE std::uint32_t lowest(const Around& near, const std::uint32_t (&own)[kEach],
                                                          std::uint32_t k) const {
            std::uint32_t first = near.straight[k + 1];
            lessen(first, near.slanted[k]);
            lessen(first, near.slanted[k + 2]);
            lessen(first, k == 0 ? near.before : own[k - 1]);
            lessen(first, k + 1 == kEach ? near.after : own[k + 1]);
            return Time::after(first, begins[k]);
        }
        [[nodiscard]] POLLARD_DEVICE std::uint32_t
        lowest(const std::uint32_t* column, const std::uint32_t (&/*own*/)[kEach], std::uint32_t k) const {
            std::uint32_t first = Time::kNever;
            forNeighbours<neighbours>([&](int x, int y, int z) {
                lessen(first, loadFresh(column + k * Shape::kRow + stepTo<Shape>(x, y, z)));
            });
            return Time::after(first, begins[k]);
        }

        std::uint32_t begins[kEach];
    };

    template <class Memory> POLLARD_DEVICE void load(Memory& /*memory*/, std::uint32_t /*cell*/, bool /*isInside*/,
                                                     std::size_t /*pixel*/) const {}
    template <class Memory>
    [[nodiscard]] POLLARD_DEVICE bool concerns(const Memory& /*memory*/, const std::uint32_t* around,
                                               std::uint32_t /*cell*/, std::uint32_t time, std::uint32_t other,
                                               std::size_t otherPixel) const {
        return Time::after(time, Time::begin(levels[otherPixel])) < around[other];
    }
};

/// Values are labels, of pixels whose times are known: the smallest label of the neighbours that had a label before and
/// whose own level is the first in the order of flooding.
template <class Level, int neighbours> struct LabelRule {
    using Time = FloodTime<Level>;
    static constexpr int kNeighbours = neighbours;
    static constexpr std::uint32_t kNone = 0; ///< beyond the image
    static constexpr std::uint32_t kUnknown = 0xffff'ffff;

    template <class Shape> struct Memory {
        std::uint32_t times[Shape::kCells];
        Level levels[Shape::kCells];
    };

    LevelView<Level> levels;
    const std::uint32_t* times;
    std::uint32_t* values;

    template <class Shape> struct Own {
        static constexpr std::uint32_t kEach = Shape::kEach;

        POLLARD_DEVICE void set(const LabelRule& /*rule*/, std::uint32_t /*k*/, std::size_t /*pixel*/) {}

        /// Reads each cell once for all pixels of the column.
        POLLARD_DEVICE void look(const Memory<Shape>& memory, std::uint32_t first) {
            std::uint32_t own[kEach];
            std::uint32_t lowest[kEach];
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kEach; ++k) {
                own[k] = memory.times[first + k * Shape::kRow];
                lowest[k] = ~0U;
                from[k] = 0;
            }
            POLLARD_UNROLL
            for (std::uint32_t row = 0; row != kEach + 2; ++row) {
                forColumns<neighbours>([&](int x, int z) {
                    const std::uint32_t cell =
                        first + (row - 1) * Shape::kRow + static_cast<std::uint32_t>(stepTo<Shape>(x, 0, z));
                    const std::uint32_t time = memory.times[cell];
                    const std::uint32_t level = memory.levels[cell];
                    POLLARD_UNROLL
                    for (int y = -1; y <= 1; ++y) {
                        const std::uint32_t k = row - 1 - static_cast<std::uint32_t>(y);
                        const int axes = x * x + y * y + z * z;
                        if (k < kEach && axes != 0 && axes <= kMostAxes<neighbours> && time < own[k] &&
                            level <= lowest[k]) {
                            from[k] = (level < lowest[k] ? 0 : from[k]) | 1U << directionOf(x, y, z);
                            lowest[k] = level;
                        }
                    }
                });
            }
            POLLARD_UNROLL
            for (std::uint32_t k = 0; k != kEach; ++k) {
                if (own[k] >= Time::kNever || Time::roundOf(own[k]) == 0) { // no label, or a seed's
                    from[k] = 0;
                }
            }
        }

        [[nodiscard]] POLLARD_DEVICE static const std::uint32_t* around(const std::uint32_t* column) { return column; }

        [[nodiscard]] POLLARD_DEVICE std::uint32_t
        lowest(const std::uint32_t* column, const std::uint32_t (&/*own*/)[kEach], std::uint32_t k) const {
            const std::uint32_t* const pixel = column + k * Shape::kRow;
            std::uint32_t label = kUnknown;
            if constexpr (neighbours <= 8) {
                forNeighbours<neighbours>([&](int x, int y, int z) {
                    if ((from[k] >> directionOf(x, y, z) & 1U) != 0) {
                        lessen(label, loadFresh(pixel + stepTo<Shape>(x, y, z)));
                    }
                });
            } else {
                for (std::uint32_t left = from[k]; left != 0; left &= left - 1) {
                    const int direction = lowestBit(left);
                    lessen(label, loadFresh(pixel + stepTo<Shape>(direction % 3 - 1, direction / 3 % 3 - 1,
                                                                  direction / 9 - 1)));
                }
            }
            return label;
        }

        std::uint32_t from[kEach]; ///< the neighbours of each pixel, a bit for each direction
    };

    template <class Memory>
    POLLARD_DEVICE void load(Memory& memory, std::uint32_t cell, bool isInside, std::size_t pixel) const {
        memory.times[cell] = isInside ? times[pixel] : Time::kOutside;
        memory.levels[cell] = isInside ? levels[pixel] : Level{0};
    }
    template <class Memory> [[nodiscard]] POLLARD_DEVICE bool concerns(const Memory& memory,
                                                                       const std::uint32_t* around, std::uint32_t cell,
                                                                       std::uint32_t label, std::uint32_t other,
                                                                       std::size_t /*otherPixel*/) const {
        return memory.times[cell] < memory.times[other] && memory.times[other] < Time::kNever && label < around[other];
    }
};

} // namespace pollard::cuda
