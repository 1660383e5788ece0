#pragma once

#include "components/object_atomics.hpp"
#include "components/row_contacts.hpp"
#include "components/strips/object_record.hpp"
#include "components/strips/part_sums.hpp"
#include "components/strips/strip_state.hpp"
#include "components/strips/strip_view.hpp"
#include "components/warp_sum.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pollard::cuda {

/// Levels of eight pixels that lie side by side.
template <class Level> struct LevelOctet {
    std::uint32_t words[2 * sizeof(Level)];

    static constexpr std::uint32_t kLevels = 8;

    /// @param from aligned to all of them
    [[nodiscard]] POLLARD_DEVICE static LevelOctet load(const Level* from) {
        LevelOctet octet;
        if constexpr (sizeof(Level) == 2) {
            const FourWords four = loadPassing(reinterpret_cast<const FourWords*>(from));
            std::memcpy(octet.words, &four, sizeof(four));
        } else {
            const FourNumbers four = loadFour(reinterpret_cast<const std::uint16_t*>(from));
            std::memcpy(octet.words, &four, sizeof(four));
        }
        return octet;
    }
    /// Those with a bit in @p set, others are 0.
    [[nodiscard]] POLLARD_DEVICE static LevelOctet gather(const Level* from, std::uint32_t set) {
        LevelOctet octet{};
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t i = 0; i < kLevels; ++i) {
            const std::uint32_t level = (set >> i & 1U) != 0 ? from[i] : 0U;
            octet.words[i / kOfWord] |= level << (i % kOfWord * kBits);
        }
        return octet;
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t level(std::uint32_t i) const {
        return words[i / kOfWord] >> (i % kOfWord * kBits) & ((1U << kBits) - 1);
    }

private:
    static constexpr std::uint32_t kBits = 8 * sizeof(Level);
    static constexpr std::uint32_t kOfWord = 32 / kBits;
};

/// Where the grey levels of components are added up, in shared memory.
struct LevelTotals {
    static constexpr std::uint32_t kWords = 2; ///< of a component

    std::uint32_t* sums;
    std::uint32_t* ranges;

    POLLARD_DEVICE void clear(std::uint32_t k) const {
        sums[k] = 0;
        ranges[k] = kNoLevels;
    }
    POLLARD_DEVICE void add(std::uint32_t k, const LevelSums& levels) const {
        static_cast<void>(addTo(sums + k, levels.sum));
        widenRange(ranges + k, levels.range);
    }
    [[nodiscard]] POLLARD_DEVICE LevelSums of(std::uint32_t k) const { return {sums[k], ranges[k]}; }
};

/// Adds up the grey levels of a strip's components. A thread takes eight pixels at a time, so that a warp reads what
/// lies side by side, and adds what it has of a run when the run ends.
template <class Level> struct StripLevels {
    static constexpr std::uint32_t kPixels = LevelOctet<Level>::kLevels;
    static constexpr std::uint32_t kNone = 0xffffU; ///< no component

    const Level* levels; ///< of the image
    bool aligned;        ///< rows are aligned to eight levels

    [[nodiscard]] static StripLevels of(const Level* levels, std::uint32_t width) {
        const auto place = reinterpret_cast<std::uintptr_t>(levels);
        return {levels, width % kPixels == 0 && place % (kPixels * sizeof(Level)) == 0};
    }

    /// By all threads of the block.
    /// @param takerOf what takes the levels of a component of the strip: its number in @p totals, or kNone
    /// @param largest the one that takes most, added up by thread; or none
    template <class TakerOf> POLLARD_DEVICE void addUp(const StripState<std::uint16_t>& state, std::uint32_t strip,
                                                       const StripView& view, const TakerOf& takerOf,
                                                       std::uint32_t largest, const LevelTotals& totals) const {
        const std::uint32_t octets = (state.mask.width - 1) / kPixels + 1; // of a row
        const std::uint32_t rows = state.rowsOf(strip);
        const std::uint32_t top = strip << state.rowBits;
        const std::uint32_t rowStep = state.threads / octets;
        const std::uint32_t step = state.threads % octets;
        std::uint32_t row = threadOfBlock() / octets;
        std::uint32_t x = threadOfBlock() % octets;
        Run ofLargest;
        LevelOctet<Level> next{};
        if (aligned && row < rows) {
            next = LevelOctet<Level>::load(at(state, x, top + row));
        }
        while (row < rows) {
            const std::uint32_t ownRow = row;
            const std::uint32_t column = x;
            LevelOctet<Level> own = next;
            row += rowStep;
            x += step;
            if (x >= octets) {
                x -= octets;
                ++row;
            }
            if (aligned && row < rows) { // a read that takes long: one ahead
                next = LevelOctet<Level>::load(at(state, x, top + row));
            }
            const std::uint32_t shift = column % kOctets * kPixels;
            const RowWord word = view.at(column / kOctets, ownRow);
            const std::uint32_t set = word.word >> shift & kAll;
            if (set == 0) {
                continue;
            }
            if (!aligned) {
                own = LevelOctet<Level>::gather(at(state, column, top + ownRow), set);
            }
            const std::uint32_t starts = startsOfRuns(word.word, word.left);
            const std::uint32_t run = view.firstRuns[ownRow * state.wordsOfRow + column / kOctets] - 1 +
                                      countBits(starts & bitsUpTo(shift + static_cast<std::uint32_t>(lowestBit(set))));
            const std::uint32_t ends = set & ~(set >> 1U);
            const std::uint64_t takers = takersOf(view.components + run, countBits(ends), takerOf);
            addOctet(own, set, ends, takers, largest, totals, ofLargest);
        }
        const LevelSums all{sumOfWarp(ofLargest.sum), mostOfWarp(ofLargest.most) << 16U | leastOfWarp(ofLargest.least)};
        if (all.range != kNoLevels && threadOfBlock() % 32 == 0) {
            totals.add(largest, all);
        }
    }

private:
    static constexpr std::uint32_t kOctets = 32 / kPixels; ///< of a word
    static constexpr std::uint32_t kAll = (1U << kPixels) - 1;
    static constexpr std::uint32_t kMostRuns = kPixels / 2;
    static constexpr std::uint32_t kTakerBits = 16;

    struct Run {
        std::uint32_t sum = 0;
        std::uint32_t least = kNoLevels;
        std::uint32_t most = 0;
    };

    [[nodiscard]] POLLARD_DEVICE const Level* at(const StripState<std::uint16_t>& state, std::uint32_t x,
                                                 std::uint32_t y) const {
        return levels + std::size_t{y} * state.mask.width + x * kPixels;
    }

    /// All at once, for each is a chain of reads; the first is in the lowest bits.
    template <class TakerOf> [[nodiscard]] POLLARD_DEVICE std::uint64_t
    takersOf(const std::uint16_t* components, std::uint32_t count, const TakerOf& takerOf) const {
        std::uint32_t read[kMostRuns];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t i = 0; i < kMostRuns; ++i) {
            read[i] = i < count ? components[i] : 0U;
        }
        std::uint64_t takers = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t i = 0; i < kMostRuns; ++i) {
            takers |= (i < count ? std::uint64_t{takerOf(read[i])} : 0) << (i * kTakerBits);
        }
        return takers;
    }

    POLLARD_DEVICE void addOctet(const LevelOctet<Level>& octet, std::uint32_t set, std::uint32_t ends,
                                 std::uint64_t takers, std::uint32_t largest, const LevelTotals& totals,
                                 Run& ofLargest) const {
        Run run;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t i = 0; i < kPixels; ++i) {
            if ((set >> i & 1U) != 0) {
                add(run, octet.level(i));
            }
            if ((ends >> i & 1U) != 0) {
                const auto taker = static_cast<std::uint32_t>(takers) & kNone;
                takers >>= kTakerBits;
                if (taker == largest) {
                    ofLargest.sum += run.sum;
                    ofLargest.least = run.least < ofLargest.least ? run.least : ofLargest.least;
                    ofLargest.most = run.most > ofLargest.most ? run.most : ofLargest.most;
                } else if (taker != kNone) {
                    totals.add(taker, {run.sum, run.most << 16U | run.least});
                }
                run = {};
            }
        }
    }
    POLLARD_DEVICE static void add(Run& run, std::uint32_t level) {
        run.sum += level;
        run.least = level < run.least ? level : run.least;
        run.most = level > run.most ? level : run.most;
    }
};

} // namespace pollard::cuda
