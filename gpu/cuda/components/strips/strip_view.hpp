#pragma once

#include "cuda/components/row_contacts.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/kernels/copies_ahead.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Mask, runs and components of a strip of several rows for pass 7, which reads them repeatedly and in dependent
/// chains. In global memory, or copied to shared memory.
struct StripView {
    const std::uint32_t* words;      ///< of the mask, from the strip's first row; the row above precedes it
    const std::uint32_t* firstRuns;  ///< per word of the strip, without padding, see StripState
    const std::uint16_t* components; ///< per run of the strip; the number of entries is a multiple of four
    std::uint32_t stride;            ///< words between the starts of two rows of the mask
    bool hasAbove;                   ///< whether there is a row above

    /// The strip in global memory.
    [[nodiscard]] POLLARD_DEVICE static StripView of(const StripState<std::uint16_t>& state, std::uint32_t strip) {
        const std::uint32_t top = strip << state.rowBits;
        return {state.mask.words + top * state.mask.stride(), state.firstRuns + state.wordAt(0, top),
                state.components + std::size_t{strip} * state.runsOfStrip,
                static_cast<std::uint32_t>(state.mask.stride()), top != 0};
    }

    /// Words of shared memory for a copy, a multiple of four.
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t copyWords(std::uint32_t stride, std::uint32_t wordsOfRow,
                                                                   std::uint32_t rows, std::uint32_t runs) {
        return wordsOfMask(stride, rows) + wordsOfFirstRuns(wordsOfRow, rows) + (std::size_t{runs} + 7) / 8 * 4;
    }

    /// Starts a copy with all threads of the block; it is complete after each thread has called awaitCopies() and a
    /// barrier.
    /// @param to copyWords() words, aligned to 16 bytes
    /// @param rows,runs of the strip
    [[nodiscard]] POLLARD_DEVICE StripView copied(std::uint32_t* to, std::uint32_t wordsOfRow, std::uint32_t rows,
                                                  std::uint32_t runs, std::uint32_t threads) const {
        std::uint32_t* const mask = to;
        std::uint32_t* const numbers = mask + wordsOfMask(stride, rows);
        auto* const own = reinterpret_cast<std::uint16_t*>(numbers + wordsOfFirstRuns(wordsOfRow, rows));
        const std::uint32_t above = hasAbove ? stride : 0;
        const std::uint32_t* const from = words - above;
        for (std::uint32_t i = 2 * threadOfBlock(); i < rows * stride + above; i += 2 * threads) {
            copyAhead<8>(mask + i, from + i);
        }
        for (std::uint32_t i = threadOfBlock(); i < rows * wordsOfRow; i += threads) {
            copyAhead<4>(numbers + i, firstRuns + i);
        }
        for (std::uint32_t i = 4 * threadOfBlock(); i < runs; i += 4 * threads) {
            copyAhead<8>(own + i, components + i);
        }
        return {mask + above, numbers, own, stride, hasAbove};
    }

    /// Pixels of a row of the strip.
    [[nodiscard]] POLLARD_DEVICE RowWord at(std::uint32_t x, std::uint32_t row) const {
        const std::uint32_t* const word = words + (row * stride + x);
        return {*word, x == 0 ? 0 : *(word - 1)};
    }
    /// Pixels of the row above it.
    [[nodiscard]] POLLARD_DEVICE RowWord above(std::uint32_t x, std::uint32_t row) const {
        if (row == 0 && !hasAbove) {
            return {0, 0};
        }
        const std::uint32_t* const word = words + (row * stride + x) - stride;
        return {*word, x == 0 ? 0 : *(word - 1)};
    }

private:
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t wordsOfMask(std::uint32_t stride, std::uint32_t rows) {
        return (std::size_t{stride} * (rows + 1) + 3) / 4 * 4;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t wordsOfFirstRuns(std::uint32_t wordsOfRow,
                                                                          std::uint32_t rows) {
        return (std::size_t{wordsOfRow} * rows + 3) / 4 * 4;
    }
};

} // namespace pollard::cuda
