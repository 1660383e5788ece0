#pragma once

#include "cuda/device/host_device.hpp"

#include <cstddef>
#include <cstdint>

// Components are intervals of node numbers, so the extremes over components are extremes over intervals. A table holds,
// beside the elements, what groups of 4, 16, 64 ... elements come to; a question reads a few entries of each kind,
// whatever the length of the interval and the height of the tree.

namespace pollard::cuda {

inline constexpr std::uint32_t kGroupBits = 2;
inline constexpr std::uint32_t kGroupSize = 1U << kGroupBits;

/// Number of entries that a table of @p count elements has for groups of all sizes. Groups are full: what is left over
/// at the end belongs to none.
[[nodiscard]] constexpr std::size_t groupEntries(std::size_t count) noexcept {
    std::size_t sum = 0;
    for (count /= kGroupSize; count > 0; count /= kGroupSize) {
        sum += count;
    }
    return sum;
}

/// Fills one kind of group from the next smaller one.
/// Join has a type Value and a static Value of(Value, Value), associative and commutative.
template <class Join> struct JoinGroup {
    using Value = typename Join::Value;
    const Value* from;
    Value* to;

    POLLARD_HOST_DEVICE void operator()(std::size_t group) const noexcept {
        const Value* members = from + group * kGroupSize;
        Value all = members[0];
        for (std::uint32_t i = 1; i < kGroupSize; ++i) {
            all = Join::of(all, members[i]);
        }
        to[group] = all;
    }
};

/// Joins by the larger value.
template <class T> struct Largest {
    using Value = T;
    [[nodiscard]] POLLARD_HOST_DEVICE static T of(T a, T b) noexcept { return a < b ? b : a; }
};
/// Joins by the smaller value.
template <class T> struct Smallest {
    using Value = T;
    [[nodiscard]] POLLARD_HOST_DEVICE static T of(T a, T b) noexcept { return b < a ? b : a; }
};

template <class Join> struct IntervalTable {
    using Value = typename Join::Value;
    const Value* elements;
    const Value* groups; ///< groupEntries(count) entries, the small groups first
    std::uint32_t count;

    /// All elements of [begin, end) joined; the interval is not empty.
    [[nodiscard]] POLLARD_HOST_DEVICE Value over(std::uint32_t begin, std::uint32_t end) const noexcept {
        Value all = elements[begin++];
        const Value* row = elements;
        const Value* next = groups;
        for (std::uint32_t size = count; begin < end;) {
            for (; begin < end && begin % kGroupSize != 0; ++begin) {
                all = Join::of(all, row[begin]);
            }
            while (begin < end && end % kGroupSize != 0) {
                all = Join::of(all, row[--end]);
            }
            begin /= kGroupSize;
            end /= kGroupSize;
            size /= kGroupSize;
            row = next;
            next += size;
        }
        return all;
    }

    /// The last place before @p end whose element passes; @p none if there is no such place.
    /// @param passes `bool(Value)`, which says yes to joined elements if and only if it does to one of them
    template <class Passes> [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t
    lastBefore(std::uint32_t end, std::uint32_t none, const Passes& passes) const noexcept {
        const Value* row = elements;
        const Value* next = groups;
        std::uint32_t place = end;
        for (std::uint32_t scale = 0; place > 0; ++scale) {
            while (place % kGroupSize != 0) {
                if (passes(row[--place])) {
                    return descend(row, place, scale, passes);
                }
            }
            place /= kGroupSize;
            row = next;
            next += count >> kGroupBits * (scale + 1);
        }
        return none;
    }

private:
    /// From a group that passes to its last element that does.
    template <class Passes> [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t
    descend(const Value* row, std::uint32_t place, std::uint32_t scale, const Passes& passes) const noexcept {
        while (scale > 0) {
            --scale;
            // The row of the next smaller groups ends where this one starts.
            row = scale == 0 ? elements : row - (count >> kGroupBits * scale);
            place = place * kGroupSize + (kGroupSize - 1);
            while (!passes(row[place])) {
                --place;
            }
        }
        return place;
    }
};

} // namespace pollard::cuda
