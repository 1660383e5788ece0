#pragma once

#include "components/object_atomics.hpp"
#include "components/strips/part_sums.hpp"
#include "components/strips/run_piece.hpp"
#include "components/warp_sum.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Sum of some grey levels, the smallest one, and in the upper half of the same word how far the largest is below
/// 65535: both halves become smaller where levels are added.
struct LevelStretch {
    std::uint32_t sum = 0;
    std::uint32_t bounds = 0xffff'ffffU;

    POLLARD_DEVICE void add(std::uint32_t level) {
        sum += level;
        bounds = leastOfHalves(bounds, level | (0xffffU - level) << 16U);
    }
    /// Of all threads of the warp, which come here together.
    [[nodiscard]] POLLARD_DEVICE LevelStretch ofWarp() const {
        return {sumOfWarp(sum), leastOfWarp(bounds >> 16U) << 16U | leastOfWarp(bounds & 0xffffU)};
    }
    [[nodiscard]] POLLARD_DEVICE LevelSums sums() const {
        return {sum, (0xffffU - (bounds >> 16U)) << 16U | (bounds & 0xffffU)};
    }
};

/// Reads the grey levels of pieces of runs.
template <class Level> struct StripLevels {
    using Sums = LevelStretch;

    const Level* levels; ///< of the image
    std::uint32_t width; ///< px

    /// @param top row of the image where the strip begins
    POLLARD_DEVICE void add(Sums& to, const RunPiece& piece, std::uint32_t top) const {
        constexpr std::uint32_t kAtOnce = 4; // reads that take long: all are under way together
        const Level* const from = levels + (std::size_t{top + piece.row} * width + piece.x);
        for (std::uint32_t i = 0; i < piece.length; i += kAtOnce) {
            std::uint32_t read[kAtOnce];
            for (std::uint32_t k = 0; k < kAtOnce; ++k) {
                read[k] = from[i + k < piece.length ? i + k : i];
            }
            for (std::uint32_t k = 0; k < kAtOnce; ++k) {
                if (i + k < piece.length) {
                    to.add(read[k]);
                }
            }
        }
    }
};

/// Where there is no grey image.
template <> struct StripLevels<void> {
    struct Sums {
        [[nodiscard]] POLLARD_DEVICE Sums ofWarp() const { return {}; }
        [[nodiscard]] POLLARD_DEVICE LevelSums sums() const { return {}; }
    };

    const void* levels; ///< null
    std::uint32_t width;

    POLLARD_DEVICE void add(Sums&, const RunPiece&, std::uint32_t) const {}
};

} // namespace pollard::cuda
