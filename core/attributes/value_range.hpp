#pragma once

#include "attributes/attribute.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

namespace pollard {

/// Smallest and largest value. NaN is ignored, because comparisons with it are false.
template <class T> struct ValueRange {
    T minimum =
        std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    T maximum =
        std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
};

/// Smallest range that contains both.
template <class T> [[nodiscard]] ValueRange<T> joined(const ValueRange<T>& a, const ValueRange<T>& b) noexcept {
    return {std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
}

/// Range of the values, on the calling thread.
template <class T> [[nodiscard]] ValueRange<T> rangeOf(std::span<const T> values) noexcept {
    constexpr std::size_t kLanes = 8; // independent comparisons
    std::array<ValueRange<T>, kLanes> lanes{};
    const auto add = [](ValueRange<T>& range, T value) {
        range.minimum = value < range.minimum ? value : range.minimum;
        range.maximum = value > range.maximum ? value : range.maximum;
    };
    std::size_t i = 0;
    for (; i + kLanes <= values.size(); i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            add(lanes[k], values[i + k]);
        }
    }
    for (; i < values.size(); ++i) {
        add(lanes[0], values[i]);
    }
    ValueRange<T> range;
    for (const ValueRange<T>& lane : lanes) {
        range = joined(range, lane);
    }
    return range;
}

/// Stores the range in a column; an empty range leaves the column unchanged.
template <class T> void storeRange(AttributeColumn& column, const ValueRange<T>& range) noexcept {
    if (range.minimum <= range.maximum) {
        column.minimum = static_cast<double>(range.minimum);
        column.maximum = static_cast<double>(range.maximum);
    }
}

/// Range of the values, on all threads of the arena.
template <class T> [[nodiscard]] ValueRange<T> parallelRangeOf(std::span<const T> values) {
    constexpr std::size_t kGrain = std::size_t{1} << 16;
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, values.size(), kGrain), ValueRange<T>{},
        [&](const auto& part, const ValueRange<T>& found) {
            return joined(found, rangeOf<T>(values.subspan(part.begin(), part.size())));
        },
        joined<T>);
}

} // namespace pollard
