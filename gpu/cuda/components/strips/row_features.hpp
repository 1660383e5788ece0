#pragma once

#include "cuda/components/object_atomics.hpp"
#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/components/strips/strip_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// Sums of a component in one word of the mask: pixels of one row.
struct WordSums {
    std::uint32_t pixels = 0;
    std::uint64_t sumX = 0;
    std::uint64_t sumXX = 0;
    std::uint32_t left = 0xffff'ffffU;
    std::uint32_t right = 0;
    std::uint32_t sides = 0; ///< runs minus columns shared with the row above, modulo 2^32
    std::uint32_t euler = 0; ///< runs minus contacts with the row above, modulo 2^32
    std::uint32_t greyMin = 0xffff'ffffU;
    std::uint32_t greyMax = 0;
    std::uint32_t greySum = 0;

    /// Adds columns x .. x + length - 1; length > 0.
    POLLARD_HOST_DEVICE void addRun(std::uint32_t x, std::uint32_t length) {
        const std::uint32_t last = length - 1;
        pixels += length;
        sumX += std::uint64_t{length} * x + length * last / 2;
        sumXX +=
            std::uint64_t{length} * x * x + std::uint64_t{x} * (length * last) + last * length * (2 * length - 1) / 6;
        left = x < left ? x : left;
        right = x + last;
    }
    POLLARD_HOST_DEVICE void addGrey(std::uint32_t level) {
        greyMin = level < greyMin ? level : greyMin;
        greyMax = level > greyMax ? level : greyMax;
        greySum += level;
    }
};

/// Sums of components of a one-row strip in shared memory, one array per kind of sum.
template <bool kGrey> class RowTable {
public:
    static constexpr std::uint32_t kFields = 9 + (kGrey ? 4 : 0);

    POLLARD_DEVICE RowTable(std::uint32_t* memory, std::uint32_t capacity) : memory_(memory), capacity_(capacity) {}

    POLLARD_DEVICE void clear(std::uint32_t k) const {
        for (std::uint32_t field = 0; field < kFields; ++field) {
            const bool least = field == kLeft || (kGrey && field == kGreyMin);
            *at(field, k) = least ? 0xffff'ffffU : 0;
        }
    }

    POLLARD_DEVICE void add(std::uint32_t k, const WordSums& sums) const {
        add(kPixels, k, sums.pixels);
        addToPair(at(kSumX, k), at(kSumXHigh, k), sums.sumX);
        addToPair(at(kSumXX, k), at(kSumXXHigh, k), sums.sumXX);
        lowerTo(at(kLeft, k), sums.left);
        raiseTo(at(kRight, k), sums.right);
        addSome(kSides, k, sums.sides);
        addSome(kEuler, k, sums.euler);
        if constexpr (kGrey) {
            lowerTo(at(kGreyMin, k), sums.greyMin);
            raiseTo(at(kGreyMax, k), sums.greyMax);
            addToPair(at(kGreySum, k), at(kGreySumHigh, k), sums.greySum);
        }
    }
    /// Adds a contact of a run without a pixel in the word that contains the contact.
    POLLARD_DEVICE void addContact(std::uint32_t k) const { add(kEuler, k, 0xffff'ffffU); }

    /// Adds component @p from, which becomes empty.
    POLLARD_DEVICE void merge(std::uint32_t k, std::uint32_t from) const {
        add(kPixels, k, *at(kPixels, from));
        addToPair(at(kSumX, k), at(kSumXHigh, k), joined(kSumX, kSumXHigh, from));
        addToPair(at(kSumXX, k), at(kSumXXHigh, k), joined(kSumXX, kSumXXHigh, from));
        lowerTo(at(kLeft, k), *at(kLeft, from));
        raiseTo(at(kRight, k), *at(kRight, from));
        addSome(kSides, k, *at(kSides, from));
        addSome(kEuler, k, *at(kEuler, from));
        if constexpr (kGrey) {
            lowerTo(at(kGreyMin, k), *at(kGreyMin, from));
            raiseTo(at(kGreyMax, k), *at(kGreyMax, from));
            addToPair(at(kGreySum, k), at(kGreySumHigh, k), joined(kGreySum, kGreySumHigh, from));
        }
        *at(kPixels, from) = 0;
    }
    [[nodiscard]] POLLARD_DEVICE bool isEmpty(std::uint32_t k) const { return *at(kPixels, k) == 0; }

    /// @param row image row
    /// @param first whether this is the first part of its object
    [[nodiscard]] POLLARD_DEVICE ObjectRecord record(std::uint32_t k, std::uint32_t row, bool first) const {
        ObjectRecord record{};
        record.area = *at(kPixels, k);
        record.left = *at(kLeft, k);
        record.right = *at(kRight, k);
        record.top = row;
        record.bottom = row;
        record.sumX = joined(kSumX, kSumXHigh, k);
        record.sumXX = joined(kSumXX, kSumXXHigh, k);
        record.sumY = record.area * row;
        record.sumYY = record.sumY * row;
        record.sumXY = record.sumX * row;
        record.perimeter = 2 * (record.area + extended(*at(kSides, k)));
        record.holes = (first ? 1 : 0) - extended(*at(kEuler, k));
        if constexpr (kGrey) {
            record.greySum = joined(kGreySum, kGreySumHigh, k);
            record.greyRange = *at(kGreyMax, k) << 16U | *at(kGreyMin, k);
        }
        return record;
    }

private:
    enum Field : std::uint32_t {
        kPixels,
        kSumX,
        kSumXHigh,
        kSumXX,
        kSumXXHigh,
        kLeft,
        kRight,
        kSides,
        kEuler,
        kGreyMin,
        kGreyMax,
        kGreySum,
        kGreySumHigh,
    };

    [[nodiscard]] POLLARD_DEVICE std::uint32_t* at(std::uint32_t field, std::uint32_t k) const {
        return memory_ + (field * capacity_ + k);
    }
    POLLARD_DEVICE void add(std::uint32_t field, std::uint32_t k, std::uint32_t value) const {
        static_cast<void>(addTo(at(field, k), value));
    }
    POLLARD_DEVICE void addSome(std::uint32_t field, std::uint32_t k, std::uint32_t value) const {
        if (value != 0) {
            add(field, k, value);
        }
    }
    [[nodiscard]] POLLARD_DEVICE std::uint64_t joined(std::uint32_t low, std::uint32_t high, std::uint32_t k) const {
        return std::uint64_t{*at(high, k)} << 32U | *at(low, k);
    }
    /// Sign-extends a small number modulo 2^32 to modulo 2^64.
    [[nodiscard]] POLLARD_DEVICE static std::uint64_t extended(std::uint32_t value) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
    }

    std::uint32_t* memory_;
    std::uint32_t capacity_;
};

/// Adds the sums of the lanes of a warp to their components. If several lanes have the same component, one lane adds
/// the sums of all. All lanes of the warp call it.
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
