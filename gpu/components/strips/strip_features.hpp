#pragma once

#include "components/strips/part_sums.hpp"
#include "components/strips/strip_state.hpp"
#include "components/strips/word_group.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Where the measurements go, and what they are made of.
struct StripMeasures {
    ObjectRecord* records;    ///< record i is of label i + 1
    ObjectPart* parts;        ///< room for StripTotals::parts
    std::uint32_t* partCount; ///< 0 at first
    StripRoom room;           ///< of both
    const StripTotals* totals;
    std::uint32_t capacity; ///< components that are measured at a time
    std::uint32_t slotBits; ///< of the table that finds parts of one object
};

/// Pass 7, a block a strip: measures the strip's components in shared memory, so many at a time. First parts of objects
/// become records; the others are put together, as far as they lie in this strip, and listed.
/// @tparam Level of the grey image, or void if there is none
template <class Number, bool kEight, class Level> struct MeasureStrips {
    static constexpr bool kGrey = !std::is_void_v<Level>;
    static constexpr bool kWide = sizeof(Number) > 2;
    static constexpr std::uint32_t kProbes = 8; ///< places in the table where a label may be
    using Table = PartTable<kGrey, kWide>;

    StripState<Number> state;
    StripMeasures to;
    const Level* grey;

    /// Of shared memory.
    [[nodiscard]] static std::size_t bytes(const StripMeasures& to) {
        return 4 * ((std::size_t{2} << to.slotBits) + std::size_t{Table::kFields} * to.capacity);
    }

    POLLARD_DEVICE void operator()(std::uint32_t* memory) const {
        if (!to.room.holds(*to.totals)) {
            return; // the room was guessed too small: it is done again
        }
        const std::uint32_t strip = blockOfGrid();
        const std::uint32_t count = state.counts[strip].components;
        const Slots slots{memory, memory + (std::size_t{1} << to.slotBits), to.slotBits};
        const Table table(memory + (std::size_t{2} << to.slotBits), to.capacity);
        for (std::uint32_t begin = 0; begin < count; begin += to.capacity) {
            const Range range{strip * state.runsOfStrip + begin,
                              count - begin < to.capacity ? count - begin : to.capacity};
            for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
                table.clear(k);
            }
            for (std::uint32_t i = threadOfBlock(); i < 1U << to.slotBits; i += state.threads) {
                slots.labels[i] = 0;
            }
            meetThreads();
            sumUp(strip, begin, range, table);
            meetThreads();
            claimSlots(range, slots);
            meetThreads();
            mergeParts(range, slots, table);
            meetThreads();
            write(strip, range, table);
            meetThreads();
        }
    }

private:
    /// Components that are measured now.
    struct Range {
        std::uint32_t firstNode;
        std::uint32_t count;
    };

    /// Which component of the range takes in the others with its label.
    struct Slots {
        std::uint32_t* labels; ///< 0: free
        std::uint32_t* owners;
        std::uint32_t bits;

        [[nodiscard]] POLLARD_DEVICE std::uint32_t place(std::uint32_t label, std::uint32_t probe) const {
            return ((label * 2654435761U >> (32 - bits)) + probe) & ((1U << bits) - 1);
        }
    };

    POLLARD_DEVICE void sumUp(std::uint32_t strip, std::uint32_t begin, const Range& range, const Table& table) const {
        const std::uint32_t padded = (state.wordsOfRow + 31) / 32 * 32; // a warp stays in a row
        const std::uint32_t words = padded * state.rowsOf(strip);
        for (std::uint32_t i = threadOfBlock(); i < words; i += state.threads) {
            const std::uint32_t x = i % padded;
            const std::uint32_t row = i / padded;
            WordSums sums;
            const std::uint32_t last =
                x < state.wordsOfRow ? sumUpWord(x, row, strip, begin, range, table, sums) : kNobody;
            addOfWarp(table, last, sums, row);
        }
    }

    /// Adds a word to the table, all but the component that came last: that is returned with what it gets.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t sumUpWord(std::uint32_t x, std::uint32_t row, std::uint32_t strip,
                                                         std::uint32_t begin, const Range& range, const Table& table,
                                                         WordSums& sums) const {
        const std::uint32_t y = (strip << state.rowBits) + row;
        const RowWord lower = state.at(x, y);
        if (lower.word == 0 && (!kEight || lower.left >> 31U == 0)) {
            return kNobody;
        }
        const RowWord upper = y == 0 ? RowWord{0, 0} : state.at(x, y - 1);
        const RowContacts contacts = contactsOf<kEight>(lower, upper);
        const Number* const components = state.components + std::size_t{strip} * state.runsOfStrip;
        const std::uint32_t firstRun = state.firstRuns[state.wordAt(x, y)] - 1;
        std::uint32_t current = kNobody;
        for (std::uint32_t left = lower.word; left != 0;) {
            const auto bit = static_cast<std::uint32_t>(lowestBit(left));
            const std::uint32_t clear = ~(lower.word >> bit);
            const std::uint32_t length = clear == 0 ? 32 : static_cast<std::uint32_t>(lowestBit(clear));
            const std::uint32_t run = bitsUpTo(length - 1) << bit;
            left &= ~run;
            const std::uint32_t k = components[firstRun + countBits(contacts.lowerStarts & bitsUpTo(bit))] - begin;
            if (k >= range.count) {
                continue;
            }
            if (k != current) {
                if (current != kNobody) {
                    table.add(current, sums, row);
                }
                current = k;
                sums = {};
            }
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
        if constexpr (kEight) { // a run that ended with the word before touches a run that starts here
            if ((contacts.all & ~lower.word & 1U) != 0) {
                const std::uint32_t k = components[firstRun] - begin;
                if (k < range.count) {
                    table.addContact(k);
                }
            }
        }
        return current;
    }

    [[nodiscard]] POLLARD_DEVICE bool isFirst(std::uint32_t node) const { return state.parents[node] == node; }

    POLLARD_DEVICE void claimSlots(const Range& range, const Slots& slots) const {
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            if (isFirst(range.firstNode + k)) {
                continue;
            }
            const std::uint32_t label = state.labels[range.firstNode + k];
            for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
                const std::uint32_t place = slots.place(label, probe);
                const std::uint32_t before = replaced(slots.labels + place, 0, label);
                if (before == 0) {
                    slots.owners[place] = k;
                }
                if (before == 0 || before == label) {
                    break;
                }
            }
        }
    }

    POLLARD_DEVICE void mergeParts(const Range& range, const Slots& slots, const Table& table) const {
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            if (isFirst(range.firstNode + k)) {
                continue;
            }
            const std::uint32_t label = state.labels[range.firstNode + k];
            for (std::uint32_t probe = 0; probe < kProbes; ++probe) {
                const std::uint32_t place = slots.place(label, probe);
                if (slots.labels[place] == label) {
                    if (slots.owners[place] != k) {
                        table.merge(slots.owners[place], k);
                    }
                    break;
                }
            }
        }
    }

    POLLARD_DEVICE void write(std::uint32_t strip, const Range& range, const Table& table) const {
        const std::uint64_t top = strip << state.rowBits;
        for (std::uint32_t k = threadOfBlock(); k < range.count; k += state.threads) {
            if (table.isEmpty(k)) {
                continue;
            }
            const std::uint32_t label = state.labels[range.firstNode + k];
            if (isFirst(range.firstNode + k)) {
                to.records[label - 1] = table.record(k, top, true);
            } else {
                to.parts[takePlace(to.partCount)] = {table.record(k, top, false), label};
            }
        }
    }
};

} // namespace pollard::cuda
