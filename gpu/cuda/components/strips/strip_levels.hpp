#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/part_sums.hpp"
#include "cuda/components/strips/run_piece.hpp"
#include "cuda/components/warp_sum.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Sum of grey levels, the smallest one, and in the upper half of the same word 65535 minus the largest, so that both
/// halves are minima.
struct LevelStretch {
    std::uint32_t sum = 0;
    std::uint32_t bounds = 0xffff'ffffU;

    POLLARD_DEVICE void add(std::uint32_t level) {
        sum += level;
        bounds = leastOfHalves(bounds, level | (0xffffU - level) << 16U);
    }
    /// Over the threads of the warp; called by all of them.
    [[nodiscard]] POLLARD_DEVICE LevelStretch ofWarp() const {
        return {sumOfWarp(sum), leastOfWarp(bounds >> 16U) << 16U | leastOfWarp(bounds & 0xffffU)};
    }
    [[nodiscard]] POLLARD_DEVICE LevelSums sums() const {
        return {sum, (0xffffU - (bounds >> 16U)) << 16U | (bounds & 0xffffU)};
    }
};

/// Loads the grey levels of pieces of runs.
template <class Level> struct StripLevels {
    using Sums = LevelStretch;

    static constexpr std::uint32_t kAhead = 4; ///< levels of a piece loaded before it is added

    /// The first levels of a piece; their loads may be in flight.
    struct Ahead {
        std::uint32_t levels[kAhead];
    };

    const Level* levels; ///< of the image
    std::uint32_t width; ///< px

    /// @param top image row of the strip's first row
    [[nodiscard]] POLLARD_DEVICE Ahead ask(const RunPiece& piece, std::uint32_t top) const {
        return read(at(piece, top), piece.length);
    }
    /// @param ahead result of ask() for this piece
    POLLARD_DEVICE void add(Sums& to, const RunPiece& piece, std::uint32_t top, Ahead ahead) const {
        const Level* const from = at(piece, top);
        for (std::uint32_t i = 0;;) {
            for (std::uint32_t k = 0; k < kAhead; ++k) {
                if (i + k < piece.length) {
                    to.add(ahead.levels[k]);
                }
            }
            i += kAhead;
            if (i >= piece.length) {
                return;
            }
            ahead = read(from + i, piece.length - i);
        }
    }

private:
    [[nodiscard]] POLLARD_DEVICE const Level* at(const RunPiece& piece, std::uint32_t top) const {
        return levels + (std::size_t{top + piece.row} * width + piece.x);
    }
    [[nodiscard]] POLLARD_DEVICE static Ahead read(const Level* from, std::uint32_t count) {
        Ahead ahead;
        for (std::uint32_t k = 0; k < kAhead; ++k) { // long loads, all in flight together
            ahead.levels[k] = from[k < count ? k : 0];
        }
        return ahead;
    }
};

/// Without a grey image.
template <> struct StripLevels<void> {
    struct Sums {
        [[nodiscard]] POLLARD_DEVICE Sums ofWarp() const { return {}; }
        [[nodiscard]] POLLARD_DEVICE LevelSums sums() const { return {}; }
    };
    struct Ahead {};

    const void* levels; ///< null
    std::uint32_t width;

    [[nodiscard]] POLLARD_DEVICE Ahead ask(const RunPiece&, std::uint32_t) const { return {}; }
    POLLARD_DEVICE void add(Sums&, const RunPiece&, std::uint32_t, Ahead) const {}
};

} // namespace pollard::cuda
