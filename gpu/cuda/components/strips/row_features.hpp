#pragma once

#include "cuda/components/strips/part_slots.hpp"
#include "cuda/components/strips/row_table.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_measures.hpp"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/strips/strip_tuning.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Adds the sums of the lanes of a warp to their components. If several lanes have the same component, one of them adds
/// for all. Called by all lanes of the warp.
/// @param k component, or kNoComponent
template <bool kGrey>
POLLARD_DEVICE inline void addOfWarp(const RowTable<kGrey>& table, std::uint32_t k, const WordSums& sums) {
#ifdef __CUDACC__
    namespace cg = cooperative_groups;
    constexpr unsigned kFewLanes = 2; // reduction in registers pays from the third lane on
    const auto group = cg::labeled_partition(cg::coalesced_threads(), k);
    if (k == kNoComponent) {
        return;
    }
    if (group.size() <= kFewLanes) {
        table.add(k, sums);
        return;
    }
    const auto added = [&](std::uint32_t value) { return cg::reduce(group, value, cg::plus<std::uint32_t>()); };
    const auto least = [&](std::uint32_t value) { return cg::reduce(group, value, cg::less<std::uint32_t>()); };
    const auto most = [&](std::uint32_t value) { return cg::reduce(group, value, cg::greater<std::uint32_t>()); };
    WordSums all;
    all.pixels = added(sums.pixels);
    all.sumX = cg::reduce(group, sums.sumX, cg::plus<std::uint64_t>());
    all.sumXX = cg::reduce(group, sums.sumXX, cg::plus<std::uint64_t>());
    all.left = least(sums.left);
    all.right = most(sums.right);
    all.sides = added(sums.sides);
    all.euler = added(sums.euler);
    if constexpr (kGrey) {
        all.greyMin = least(sums.greyMin);
        all.greyMax = most(sums.greyMax);
        all.greySum = added(sums.greySum);
    }
    if (group.thread_rank() == 0) {
        table.add(k, all);
    }
#else
    if (k != kNoComponent) {
        table.add(k, sums);
    }
#endif
}

/// Pass 7 for strips of one row: measures the runs of a row in shared memory, a limited number at a time. First parts
/// of objects become records; other parts are merged within the row and listed.
/// @tparam Level pixel type of the grey image, or void if there is none
template <bool kEight, class Level> struct MeasureRows {
    using Number = std::uint32_t;
    using Part = ObjectPart;
    using Table = RowTable<!std::is_void_v<Level>>;
    static constexpr bool kGrey = !std::is_void_v<Level>;

    StripState<Number> state;
    StripMeasures<Part> to;
    const Level* grey;

    [[nodiscard]] static MeasureRows of(const StripState<Number>& state, const StripMeasures<Part>& to,
                                        const Level* grey, const StripTuning& tuning) {
        MeasureRows pass{state, to, grey};
        const std::size_t room = tuning.sharedBytes / 4 - PartSlots::words(to.slotBits);
        pass.to.capacity = static_cast<std::uint32_t>(std::min<std::size_t>(to.capacity, room / Table::kFields));
        return pass;
    }
    [[nodiscard]] std::uint32_t blocks() const { return state.strips; }
    /// Shared memory of a block.
    [[nodiscard]] std::size_t bytes() const {
        return 4 * (PartSlots::words(to.slotBits) + std::size_t{Table::kFields} * to.capacity);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        if (!to.room.holds(*to.totals)) {
            return; // the predicted capacity is too small: measured again later
        }
        const std::uint32_t y = blockOfGrid();
        const std::uint32_t count = state.counts[y].components;
        const PartSlots slots{memory, to.slotBits};
        const Table table(memory + PartSlots::words(to.slotBits), to.capacity);
        for (std::uint32_t begin = 0; begin < count; begin += to.capacity) {
            const Range range{begin, count - begin < to.capacity ? count - begin : to.capacity,
                              y * state.runsOfStrip + begin};
            for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
                table.clear(k);
            }
            slots.clear(state.threads);
            meetThreads();
            sumUp(y, range, table);
            meetThreads();
            forOthers(range, [&](std::uint32_t k, std::uint32_t label) { static_cast<void>(slots.claim(label, k)); });
            meetThreads();
            forOthers(range, [&](std::uint32_t k, std::uint32_t label) {
                const std::uint32_t owner = slots.find(label);
                if (owner != PartSlots::kNowhere && owner != k) {
                    table.merge(owner, k);
                }
            });
            meetThreads();
            write(y, range, table); // each thread reads the rows that it clears in the next round
        }
    }

private:
    /// Components that are measured in one round.
    struct Range {
        std::uint32_t begin; ///< in the row
        std::uint32_t count;
        std::uint32_t firstNode;
    };

    POLLARD_DEVICE void sumUp(std::uint32_t y, const Range& range, const Table& table) const {
        const std::uint32_t padded = (state.wordsOfRow + 31) / 32 * 32; // whole warps
        for (std::uint32_t x = threadOfBlock(); x < padded; x += state.threads) {
            WordSums sums;
            const std::uint32_t last = x < state.wordsOfRow ? sumUpWord(x, y, range, table, sums) : kNoComponent;
            addOfWarp(table, last, sums);
        }
    }

    /// Adds a word to the table, except its last component, which is returned with its sums.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t sumUpWord(std::uint32_t x, std::uint32_t y, const Range& range,
                                                         const Table& table, WordSums& sums) const {
        const RowWord lower = state.at(x, y);
        if (lower.word == 0 && (!kEight || lower.left >> 31U == 0)) {
            return kNoComponent;
        }
        const RowWord upper = y == 0 ? RowWord{0, 0} : state.at(x, y - 1);
        const RowContacts contacts = contactsOf<kEight>(lower, upper);
        const std::uint32_t firstRun = state.firstRuns[state.wordAt(x, y)] - 1;
        std::uint32_t current = kNoComponent;
        for (std::uint32_t left = lower.word; left != 0;) {
            const auto bit = static_cast<std::uint32_t>(lowestBit(left));
            const std::uint32_t run = firstRunOf(left);
            left &= ~run;
            // Every run is a component.
            const std::uint32_t k = firstRun + countBits(contacts.lowerStarts & bitsUpTo(bit)) - range.begin;
            if (k >= range.count) {
                continue;
            }
            if (k != current) {
                if (current != kNoComponent) {
                    table.add(current, sums);
                }
                current = k;
                sums = {};
            }
            const std::uint32_t length = countBits(run);
            sums.addRun(32 * x + bit, length);
            const std::uint32_t starts = contacts.lowerStarts >> bit & 1U;
            sums.sides += starts - countBits(upper.word & run);
            sums.euler += starts - countBits(contacts.all & (kEight ? run | run << 1U : run));
            if constexpr (kGrey) {
                const Level* const levels = grey + (std::size_t{y} * state.mask.width + 32 * x + bit);
                for (std::uint32_t i = 0; i < length; ++i) {
                    sums.addGrey(levels[i]);
                }
            }
        }
        if constexpr (kEight) { // a run that ends in the previous word touches a run that starts here
            if ((contacts.all & ~lower.word & 1U) != 0) {
                const std::uint32_t k = firstRun - range.begin;
                if (k < range.count) {
                    table.addContact(k);
                }
            }
        }
        return current;
    }

    /// Visits components that are not the first part of their object.
    template <class Visit> POLLARD_DEVICE void forOthers(const Range& range, const Visit& visit) const {
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            if (!state.isFirst(range.firstNode + k)) {
                visit(k, state.labels[range.firstNode + k]);
            }
        }
    }

    POLLARD_DEVICE void write(std::uint32_t y, const Range& range, const Table& table) const {
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            if (table.isEmpty(k)) {
                continue;
            }
            const std::uint32_t label = state.labels[range.firstNode + k];
            if (state.isFirst(range.firstNode + k)) {
                storeByFour(to.records + (label - 1), table.record(k, y, true));
            } else {
                storeByFour(to.parts + takePlace(to.partCount), Part{table.record(k, y, false), label});
            }
        }
    }
};

} // namespace pollard::cuda
