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

template <class Shape>
[[nodiscard]] POLLARD_HOST_DEVICE constexpr std::uint32_t cellAt(std::uint32_t cell, int x, int y, int z) {
    return cell +
           static_cast<std::uint32_t>(z * static_cast<int>(Shape::kSlice) + y * static_cast<int>(Shape::kRow) + x);
}

/// Values are FloodTimes.
template <class Level, int neighbours> struct TimeRule {
    using Time = FloodTime<Level>;
    static constexpr int kNeighbours = neighbours;
    static constexpr std::uint32_t kNone = Time::kOutside;
    template <class Shape> struct Memory {};

    LevelView<Level> levels;
    std::uint32_t* values;

    template <class Shape> struct Own {
        Own() = default;
        POLLARD_DEVICE Own(const TimeRule& rule, const Memory<Shape>& /*memory*/, const std::uint32_t* /*values*/,
                           std::uint32_t /*cell*/, std::size_t pixel)
            : begins(Time::begin(rule.levels[pixel])) {}

        [[nodiscard]] POLLARD_DEVICE std::uint32_t lowest(const std::uint32_t* values, std::uint32_t cell) const {
            std::uint32_t first = Time::kNever;
            forNeighbours<neighbours>([&](int x, int y, int z) {
                const std::uint32_t other = loadFresh(values + cellAt<Shape>(cell, x, y, z));
                first = other < first ? other : first;
            });
            return Time::after(first, begins);
        }

        std::uint32_t begins;
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
        Own() = default;
        POLLARD_DEVICE Own(const LabelRule& /*rule*/, const Memory<Shape>& memory, const std::uint32_t* /*values*/,
                           std::uint32_t cell, std::size_t /*pixel*/) {
            const std::uint32_t time = memory.times[cell];
            std::uint32_t lowest = ~0U;
            forNeighbours<neighbours>([&](int x, int y, int z) {
                const std::uint32_t other = cellAt<Shape>(cell, x, y, z);
                const std::uint32_t level = memory.levels[other];
                if (memory.times[other] < time && level <= lowest) {
                    from = (level < lowest ? 0 : from) | 1U << directionOf(x, y, z);
                    lowest = level;
                }
            });
            from = time >= Time::kNever || Time::roundOf(time) == 0 ? 0 : from; // no label, or a seed's
        }

        [[nodiscard]] POLLARD_DEVICE std::uint32_t lowest(const std::uint32_t* values, std::uint32_t cell) const {
            std::uint32_t label = kUnknown;
            if constexpr (neighbours <= 8) {
                forNeighbours<neighbours>([&](int x, int y, int z) {
                    if ((from >> directionOf(x, y, z) & 1U) != 0) {
                        lower(label, loadFresh(values + cellAt<Shape>(cell, x, y, z)));
                    }
                });
            } else {
                for (std::uint32_t left = from; left != 0; left &= left - 1) {
                    const int direction = lowestBit(left);
                    lower(label, loadFresh(values + cellAt<Shape>(cell, direction % 3 - 1, direction / 3 % 3 - 1,
                                                                  direction / 9 - 1)));
                }
            }
            return label;
        }

        POLLARD_DEVICE static void lower(std::uint32_t& label, std::uint32_t other) {
            label = other < label ? other : label;
        }

        std::uint32_t from = 0; ///< the neighbours, a bit for each direction
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
