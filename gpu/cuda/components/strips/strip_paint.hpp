#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/strip_state.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// The rows of an image, all of which are painted.
struct EveryRow {
    [[nodiscard]] POLLARD_DEVICE static bool has(std::uint32_t /*row*/) { return true; }
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t of(std::uint32_t row) { return row; }
};

/// Pass 6, one step per 4 x 4 pixels: writes the label image. The four rows are processed together to overlap their
/// chains of loads. At most two runs touch 4 pixels of a row.
/// @tparam Rows which rows of the mask are painted, and the row of the label image for each
template <class Number, class Rows = EveryRow> struct PaintLabels {
    static constexpr std::uint32_t kRows = 4;
    static constexpr std::uint32_t kColumns = 4;

    StripState<Number> state;
    std::uint32_t* labels; ///< per pixel
    Rows rowsOfLabels{};

    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t steps(std::uint32_t width, std::uint32_t height) {
        return (std::size_t{width} + kColumns - 1) / kColumns * ((std::size_t{height} + kRows - 1) / kRows);
    }

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t columns = (state.mask.width - 1) / kColumns + 1;
        const auto i32 = static_cast<std::uint32_t>(i); // below 2^32: at most a 16th of the pixels, rounded up per row
                                                        // and column
        const std::uint32_t top = i32 / columns * kRows;
        const std::uint32_t left = i32 % columns * kColumns;
        const std::uint32_t rows = state.mask.height - top < kRows ? state.mask.height - top : kRows;
        const std::uint32_t shift = left % 32;
        std::uint32_t set[kRows];
        std::uint32_t second[kRows]; // pixels of the second run
        std::uint32_t runs[kRows][2];
        for (std::uint32_t r = 0; r < kRows; ++r) {
            const std::uint32_t y = r < rows ? top + r : top;
            const RowWord at = state.at(left / 32, y);
            const std::uint32_t starts = startsOfRuns(at.word, at.left);
            const std::uint32_t first = state.firstRuns[state.wordAt(left / 32, y)] - 1;
            set[r] = at.word >> shift & 15U;
            // The second run starts at the last start that is not the first set pixel.
            const std::uint32_t later = (starts >> shift & 15U) & ~(set[r] & (0U - set[r]));
            second[r] = later == 0 ? 0 : set[r] & ~(later - 1U);
            runs[r][0] =
                set[r] == 0
                    ? kNoRun
                    : first + countBits(starts & bitsUpTo(shift + static_cast<std::uint32_t>(lowestBit(set[r]))));
            runs[r][1] = runs[r][0] + 1;
        }
        std::uint32_t values[kRows][2];
        for (std::uint32_t r = 0; r < kRows; ++r) {
            const std::uint32_t y = r < rows ? top + r : top;
            values[r][0] = runs[r][0] == kNoRun ? 0 : state.nodeOf(y, runs[r][0]);
            values[r][1] = second[r] == 0 ? values[r][0] : state.nodeOf(y, runs[r][1]);
        }
        for (std::uint32_t r = 0; r < kRows; ++r) {
            const std::uint32_t nodes[2] = {values[r][0], values[r][1]};
            values[r][0] = runs[r][0] == kNoRun ? 0 : state.labels[nodes[0]];
            values[r][1] = nodes[1] == nodes[0] ? values[r][0] : state.labels[nodes[1]];
        }
        for (std::uint32_t r = 0; r < kRows; ++r) {
            if (r < rows && rowsOfLabels.has(top + r)) {
                write(left, rowsOfLabels.of(top + r), set[r], second[r], values[r]);
            }
        }
    }

private:
    static constexpr std::uint32_t kNoRun = 0xffff'ffffU;

    POLLARD_DEVICE void write(std::uint32_t left, std::uint32_t y, std::uint32_t set, std::uint32_t second,
                              const std::uint32_t (&values)[2]) const {
        FourWords pixels;
        for (std::uint32_t x = 0; x < kColumns; ++x) {
            const std::uint32_t value = (second >> x & 1U) != 0 ? values[1] : values[0];
            pixels.words[x] = (set >> x & 1U) != 0 ? value : 0;
        }
        std::uint32_t* const to = labels + std::size_t{y} * state.mask.width + left;
        if (state.mask.width % kColumns == 0) {
            storePassing(reinterpret_cast<FourWords*>(to), pixels);
            return;
        }
        for (std::uint32_t x = 0; x < kColumns; ++x) {
            if (left + x < state.mask.width) {
                to[x] = pixels.words[x];
            }
        }
    }
};

} // namespace pollard::cuda
