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

namespace pollard::cuda {

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

/// Sum of some levels, the smallest one, and in the upper half of the same word how far the largest is below 65535:
/// both halves become smaller where levels are added.
struct LevelStretch {
    std::uint32_t sum = 0;
    std::uint32_t bounds = 0xffff'ffffU;

    /// Two levels, the first in the lower half. @param set which of them count, a bit each
    [[nodiscard]] POLLARD_DEVICE static LevelStretch ofTwo(std::uint32_t levels, std::uint32_t set) {
        const std::uint32_t first = levels & 0xffffU;
        const std::uint32_t second = levels >> 16U;
        LevelStretch stretch;
        if ((set & 1U) != 0) {
            stretch = {first, first | (0xffffU - first) << 16U};
        }
        if ((set & 2U) != 0) {
            stretch.add({second, second | (0xffffU - second) << 16U});
        }
        return stretch;
    }
    POLLARD_DEVICE void add(const LevelStretch& other) {
        sum += other.sum;
        bounds = leastOfHalves(bounds, other.bounds);
    }
    [[nodiscard]] POLLARD_DEVICE LevelSums sums() const {
        return {sum, (0xffffU - (bounds >> 16U)) << 16U | (bounds & 0xffffU)};
    }
};

/// Adds up the grey levels of a strip's components. A warp takes 64 pixels of a row, two a thread, which are of no more
/// than one run; the levels of a run are added up over its threads, and the first one adds what comes of it to the
/// totals of its component.
template <class Level> struct StripLevels {
    static constexpr std::uint32_t kPixels = 64;    ///< of a warp
    static constexpr std::uint32_t kNone = 0xffffU; ///< no component

    const Level* levels; ///< of the image
    bool aligned;        ///< rows are aligned to two levels

    [[nodiscard]] static StripLevels of(const Level* levels, std::uint32_t width) {
        const auto place = reinterpret_cast<std::uintptr_t>(levels);
        return {levels, width % 2 == 0 && place % (2 * sizeof(Level)) == 0};
    }

    /// By all threads of the block, whole warps.
    /// @param takerOf what takes the levels of a component of the strip: its number in @p totals, or kNone
    /// @param largest the one that takes most, added up by thread; or none
    template <class TakerOf> POLLARD_DEVICE void addUp(const StripState<std::uint16_t>& state, std::uint32_t strip,
                                                       const StripView& view, const TakerOf& takerOf,
                                                       std::uint32_t largest, const LevelTotals& totals) const {
        const std::uint32_t top = strip << state.rowBits;
        const std::uint32_t ofRow = (state.mask.width - 1) / kPixels + 1;
        const std::uint32_t all = ofRow * state.rowsOf(strip);
        const std::uint32_t warps = state.threads / 32;
        LevelStretch ofLargest;
        for (std::uint32_t begin = threadOfBlock() / 32; begin < all; begin += kAtOnce * warps) {
            Place places[kAtOnce];
            std::uint32_t read[kAtOnce]; // reads that take long: all are under way together
            forAll([&](std::uint32_t k) {
                const std::uint32_t i = begin + k * warps;
                places[k] = i < all ? Place::of(view, i / ofRow, i % ofRow) : Place{};
                read[k] = readTwo(state.mask.width, top, places[k]);
            });
            forAll([&](std::uint32_t k) { add(state, view, places[k], read[k], takerOf, largest, totals, ofLargest); });
        }
        const std::uint32_t bounds = ofLargest.bounds;
        const LevelStretch joined{sumOfWarp(ofLargest.sum),
                                  leastOfWarp(bounds >> 16U) << 16U | leastOfWarp(bounds & 0xffffU)};
        if (joined.bounds != LevelStretch{}.bounds && threadOfBlock() % 32 == 0) {
            totals.add(largest, joined.sums());
        }
    }

private:
    static constexpr std::uint32_t kAtOnce = 4;

    /// Pixels of a warp: two words of the mask.
    struct Place {
        std::uint32_t row = 0, column = 0; ///< of the strip, and in units of 64 pixels
        std::uint32_t left = 0;            ///< the word before
        std::uint64_t set = 0;

        [[nodiscard]] POLLARD_DEVICE static Place of(const StripView& view, std::uint32_t row, std::uint32_t column) {
            const std::uint32_t* const words = view.words + (row * view.stride + 2 * column);
            return {row, column, column == 0 ? 0 : *(words - 1), std::uint64_t{words[1]} << 32U | words[0]};
        }
        /// Which of this thread's pixels are set, a bit each.
        [[nodiscard]] POLLARD_DEVICE std::uint32_t own() const {
            return static_cast<std::uint32_t>(set >> (2 * (threadOfBlock() % 32))) & 3U;
        }
    };

    template <class Visit> POLLARD_DEVICE static void forAll(const Visit& visit) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t k = 0; k < kAtOnce; ++k) {
            visit(k);
        }
    }

    /// This thread's levels, as far as they are needed.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t readTwo(std::uint32_t width, std::uint32_t top,
                                                       const Place& place) const {
        const std::uint32_t set = place.own();
        const Level* const from =
            levels + std::size_t{top + place.row} * width + place.column * kPixels + 2 * (threadOfBlock() % 32);
        if (set == 0) {
            return 0;
        }
        if (aligned) {
            return loadTwo(from);
        }
        const std::uint32_t first = (set & 1U) != 0 ? from[0] : 0U;
        return (set & 2U) != 0 ? std::uint32_t{from[1]} << 16U | first : first;
    }

    template <class TakerOf>
    POLLARD_DEVICE static void add(const StripState<std::uint16_t>& state, const StripView& view, const Place& place,
                                   std::uint32_t read, const TakerOf& takerOf, std::uint32_t largest,
                                   const LevelTotals& totals, LevelStretch& ofLargest) {
        const std::uint32_t lane = threadOfBlock() % 32;
        const std::uint32_t set = place.own();
        LevelStretch stretch = LevelStretch::ofTwo(read, set);
        // A bit for every second pixel, where a thread's run goes on with the next thread: then with the next two, ...
        constexpr std::uint64_t kFirstPixels = 0x5555'5555'5555'5555U;
        std::uint64_t goesOn = place.set >> 1U & place.set >> 2U & kFirstPixels;
        const bool isFirst = set != 0 && (lane == 0 || (goesOn >> (2 * lane - 2) & 1U) == 0);
        for (std::uint32_t distance = 1; goesOn != 0; distance *= 2) {
            const std::uint32_t from = (lane + distance) % 32;
            const LevelStretch next{fromLane(stretch.sum, from), fromLane(stretch.bounds, from)};
            if ((goesOn >> (2 * lane) & 1U) != 0) {
                stretch.add(next);
            }
            goesOn &= goesOn >> (2 * distance);
        }
        if (!isFirst) {
            return;
        }
        const auto lower = static_cast<std::uint32_t>(place.set);
        const bool isUpper = lane >= 16;
        const std::uint32_t starts = isUpper ? startsOfRuns(static_cast<std::uint32_t>(place.set >> 32U), lower)
                                             : startsOfRuns(lower, place.left);
        const std::uint32_t word = place.row * state.wordsOfRow + 2 * place.column + (isUpper ? 1 : 0);
        const std::uint32_t bit = 2 * (lane % 16) + ((set & 1U) != 0 ? 0 : 1);
        const std::uint32_t run = view.firstRuns[word] - 1 + countBits(starts & bitsUpTo(bit));
        const std::uint32_t taker = takerOf(view.components[run]);
        if (taker == largest) {
            ofLargest.add(stretch);
        } else if (taker != kNone) {
            totals.add(taker, stretch.sums());
        }
    }
};

} // namespace pollard::cuda
