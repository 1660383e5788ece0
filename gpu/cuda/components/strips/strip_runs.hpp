#pragma once

#include "cuda/components/block_sum.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/threshold_pass.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Reads the mask.
struct MaskWords {
    /// Called by all threads of the block, which need a barrier afterwards.
    /// @param to shared memory, without padding
    template <class State> POLLARD_DEVICE void load(const State& state, std::uint32_t strip, std::uint32_t* to) const {
        const std::uint32_t top = strip << state.rowBits;
        for (std::uint32_t i = threadOfBlock(); i < state.rowsOf(strip) * state.wordsOfRow; i += state.threads) {
            to[i] = state.mask.word(i % state.wordsOfRow, top + i / state.wordsOfRow);
        }
    }
};

/// Makes the words from grey levels and stores the mask for later passes: a separate kernel would cost a launch and
/// would not overlap computation with the loads of levels. Blocks must have a multiple of 32 threads.
template <class Level> struct LevelWords {
    ThresholdPass<Level> threshold;

    template <class State> POLLARD_DEVICE void load(const State& state, std::uint32_t strip, std::uint32_t* to) const {
        constexpr std::uint32_t kAtOnce = ThresholdPass<Level>::kWordsOfWarp;
        const auto stride = static_cast<std::uint32_t>(threshold.stride());
        const std::uint64_t first = (std::uint64_t{strip} << state.rowBits) * stride;
        const std::uint32_t count = state.rowsOf(strip) * stride;
        const std::uint32_t lane = threadOfBlock() % 32;
        for (std::uint32_t at = threadOfBlock() / 32 * kAtOnce; at < count; at += state.threads / 32 * kAtOnce) {
            const std::uint32_t word = threshold.make(first + at, first + count);
            const std::uint32_t x = (at + lane) % stride;
            if (lane < kAtOnce && at + lane < count && x < state.wordsOfRow) {
                to[(at + lane) / stride * state.wordsOfRow + x] = word;
            }
        }
    }
};

/// Before the passes: one step per word of the counts.
struct ClearCounts {
    std::uint32_t* words;

    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t steps(std::uint32_t strips) {
        return std::size_t{strips} * sizeof(StripCounts) / sizeof(std::uint32_t);
    }

    POLLARD_DEVICE void operator()(std::size_t i) const { words[i] = 0; }
};

/// Pass 1, one block per strip: numbers the runs of a strip in raster order, joins them in shared memory, and numbers
/// the strip's components in the order of their first pixels.
/// @tparam Words MaskWords or LevelWords
template <bool kEight, class Words = MaskWords> struct JoinWithinStrips {
    StripState<std::uint16_t> state;
    Words source{};

    /// @param memory StripLayout::joiningBytes() bytes
    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        const std::uint32_t strip = blockOfGrid();
        const std::uint32_t words = state.rowsOf(strip) * state.wordsOfRow;
        std::uint32_t* const mask = memory;
        std::uint32_t* const firstRuns = mask + state.rows() * state.wordsOfRow;
        std::uint32_t* const parents = firstRuns + state.rows() * state.wordsOfRow;
        std::uint32_t* const scratch = parents + state.runsOfStrip;

        const std::uint32_t runs = numberRuns(strip, words, mask, firstRuns, scratch);
        for (std::uint32_t run = threadOfBlock(); run < runs; run += state.threads) {
            parents[run] = run;
        }
        meetThreads();
        forEachContact(words, mask, firstRuns, true,
                       [&](std::uint32_t lower, std::uint32_t upper) { parents[lower] = upper; });
        meetThreads();
        forEachContact(words, mask, firstRuns, false, [&](std::uint32_t lower, std::uint32_t upper) {
            static_cast<void>(joinTrees(parents, lower, upper));
        });
        meetThreads();
        numberComponents(strip, parents, runs, scratch);
    }

private:
    static constexpr std::uint32_t kNumbered = 0x8000'0000U; ///< flag: a root's entry holds its component's number

    /// Consecutive elements per thread: an odd number, to avoid bank conflicts.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t share(std::uint32_t count) const {
        return ((count + state.threads - 1) / state.threads) | 1U;
    }

    [[nodiscard]] POLLARD_DEVICE static std::uint32_t startsAt(const std::uint32_t* mask, std::uint32_t i,
                                                               std::uint32_t x) {
        return startsOfRuns(mask[i], x == 0 ? 0 : mask[i - 1]);
    }

    /// Loads the mask and returns the number of runs.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t numberRuns(std::uint32_t strip, std::uint32_t words, std::uint32_t* mask,
                                                          std::uint32_t* firstRuns, std::uint32_t* scratch) const {
        const std::uint32_t top = strip << state.rowBits;
        source.load(state, strip, mask);
        meetThreads();
        const std::uint32_t first = threadOfBlock() * share(words);
        const std::uint32_t end = first + share(words) < words ? first + share(words) : words;
        std::uint32_t starts = 0;
        std::uint32_t pixels = 0;
        for (std::uint32_t i = first; i < end; ++i) {
            pixels += countBits(mask[i]);
            starts += countBits(startsAt(mask, i, i % state.wordsOfRow));
        }
        addTogether(&state.counts[strip].pixels, pixels);
        const BlockSum sum = sumOfEarlierThreads(starts, state.threads, scratch);
        std::uint32_t run = sum.before;
        for (std::uint32_t i = first; i < end; ++i) {
            firstRuns[i] = run;
            run += countBits(startsAt(mask, i, i % state.wordsOfRow));
        }
        meetThreads();
        for (std::uint32_t i = threadOfBlock(); i < words; i += state.threads) {
            state.firstRuns[state.wordAt(0, top) + i] = firstRuns[i];
        }
        return sum.all;
    }

    /// Visits the first contacts of runs, or all others.
    template <class Visit> POLLARD_DEVICE void forEachContact(std::uint32_t words, const std::uint32_t* mask,
                                                              const std::uint32_t* firstRuns, bool first,
                                                              const Visit& visit) const {
        const std::uint32_t row = state.wordsOfRow;
        // If there are more threads than words, several share the columns of a word.
        std::uint32_t partBits = 0;
        while (partBits < 3 && words << (partBits + 1) <= state.threads) {
            ++partBits;
        }
        const std::uint32_t columns = 32U >> partBits;
        for (std::uint32_t part = threadOfBlock(); part < (words - row) << partBits; part += state.threads) {
            const std::uint32_t i = row + (part >> partBits);
            const std::uint32_t own = bitsUpTo(columns - 1) << (part % (1U << partBits) * columns);
            const bool hasLeft = i % row != 0;
            const RowContacts contacts = contactsOf<kEight>(RowWord{mask[i], hasLeft ? mask[i - 1] : 0},
                                                            RowWord{mask[i - row], hasLeft ? mask[i - row - 1] : 0});
            for (std::uint32_t left = own & (first ? contacts.first : contacts.all & ~contacts.first); left != 0;
                 left &= left - 1) {
                const std::uint32_t upTo = bitsUpTo(static_cast<std::uint32_t>(lowestBit(left)));
                visit(firstRuns[i] + countBits(contacts.lowerStarts & upTo) - 1,
                      firstRuns[i - row] + countBits(contacts.upperStarts & upTo) - 1);
            }
        }
    }

    POLLARD_DEVICE void numberComponents(std::uint32_t strip, std::uint32_t* parents, std::uint32_t runs,
                                         std::uint32_t* scratch) const {
        const std::uint32_t first = threadOfBlock() * share(runs);
        const std::uint32_t end = first + share(runs) < runs ? first + share(runs) : runs;
        std::uint32_t roots = 0;
        for (std::uint32_t run = first; run < end; ++run) {
            roots += parents[run] == run ? 1 : 0;
        }
        const BlockSum sum = sumOfEarlierThreads(roots, state.threads, scratch);
        std::uint32_t number = sum.before;
        for (std::uint32_t run = first; run < end; ++run) {
            if (parents[run] == run) {
                parents[run] = kNumbered | number++;
            }
        }
        meetThreads();
        const std::uint32_t begin = strip * state.runsOfStrip;
        for (std::uint32_t run = threadOfBlock(); run < runs; run += state.threads) {
            std::uint32_t parent = parents[run];
            while ((parent & kNumbered) == 0) {
                parent = parents[parent];
            }
            state.components[begin + run] = static_cast<std::uint16_t>(parent);
        }
        for (std::uint32_t i = threadOfBlock(); i < sum.all; i += state.threads) {
            state.parents[begin + i] = begin + i;
        }
        if (threadOfBlock() == 0) {
            state.counts[strip].components = sum.all;
            state.counts[strip].runs = runs;
        }
    }
};

/// Pass 1 for strips of one row: every run is a component.
struct ListRunsOfRows {
    StripState<std::uint32_t> state;

    /// @param scratch kBlockSumWords words
    POLLARD_DEVICE void operator()(std::uint32_t* scratch) const {
        const std::uint32_t row = blockOfGrid();
        std::uint32_t pixels = 0;
        std::uint32_t runs = 0;
        for (std::uint32_t begin = 0; begin < state.wordsOfRow; begin += state.threads) {
            const std::uint32_t x = begin + threadOfBlock();
            const RowWord at = x < state.wordsOfRow ? state.at(x, row) : RowWord{0, 0};
            const BlockSum sum = sumOfEarlierThreads(countBits(startsOfRuns(at.word, at.left)), state.threads, scratch);
            if (x < state.wordsOfRow) {
                state.firstRuns[state.wordAt(x, row)] = runs + sum.before;
            }
            pixels += countBits(at.word);
            runs += sum.all;
        }
        addTogether(&state.counts[row].pixels, pixels);
        const std::uint32_t first = row * state.runsOfStrip;
        for (std::uint32_t run = threadOfBlock(); run < runs; run += state.threads) {
            state.components[first + run] = run;
            state.parents[first + run] = first + run;
        }
        if (threadOfBlock() == 0) {
            state.counts[row].components = runs;
        }
    }
};

} // namespace pollard::cuda
