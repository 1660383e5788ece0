#pragma once

#include "base/compiler.hpp"

#include <cstddef>
#include <cstdint>

// Components are intervals of node indices, so extremes over components are extremes over intervals. A table holds the
// elements and, for groups of 4, 16, 64, ... elements, the joined value of each; a query reads a few entries per group
// size, for any length of the interval and height of the tree.

namespace pollard::cuda {

inline constexpr std::uint32_t kGroupBits = 2;
inline constexpr std::uint32_t kGroupSize = 1U << kGroupBits;

/// Number of entries for the groups of all sizes in a table of @p count elements. Groups are full: elements left over
/// at the end belong to none.
[[nodiscard]] constexpr std::size_t groupEntries(std::size_t count) noexcept {
    std::size_t sum = 0;
    for (count /= kGroupSize; count > 0; count /= kGroupSize) {
        sum += count;
    }
    return sum;
}

/// Computes the groups of one size from the groups of the next smaller size.
/// @tparam Join has a type Value and an associative, commutative static Value of(Value, Value)
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

/// Joins to the larger value.
template <class T> struct Largest {
    using Value = T;
    [[nodiscard]] POLLARD_HOST_DEVICE static T of(T a, T b) noexcept { return a < b ? b : a; }
};
/// Joins to the smaller value.
template <class T> struct Smallest {
    using Value = T;
    [[nodiscard]] POLLARD_HOST_DEVICE static T of(T a, T b) noexcept { return b < a ? b : a; }
};

template <class Join> struct IntervalTable {
    using Value = typename Join::Value;
    const Value* elements;
    const Value* groups; ///< groupEntries(count) entries, smallest groups first
    std::uint32_t count;

    /// Joined value of the elements [begin, end); the interval must not be empty.
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

    /// Index of the last element before @p end that satisfies @p passes; @p none if there is none.
    /// @param passes `bool(Value)`, true for joined elements if and only if it is true for at least one element
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
    /// Index of the last element that passes in a group that passes.
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
