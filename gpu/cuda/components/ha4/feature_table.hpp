#pragma once

#include "base/compiler.hpp"
#include "components/components.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Sums and extremes of an object, added in any order. Perimeter and holes have negative terms; their sums are exact
/// modulo 2^64.
struct FeatureSums {
    std::uint64_t area, x, y, xx, xy, yy, grey;
    std::uint64_t perimeter;
    std::uint64_t holes; ///< 1 minus the Euler number
    std::uint32_t left, top, right, bottom;
    std::uint32_t greyMin, greyMax;

    [[nodiscard]] POLLARD_HOST_DEVICE static FeatureSums none() {
        constexpr std::uint32_t kMost = 0xffffffffU;
        return {0, 0, 0, 0, 0, 0, 0, 0, 1, kMost, kMost, 0, 0, kMost, 0};
    }

    [[nodiscard]] POLLARD_HOST_DEVICE ComponentRecord record(bool withGrey) const {
        ComponentRecord record;
        record.area = area;
        record.left = left;
        record.top = top;
        record.right = right;
        record.bottom = bottom;
        record.sumX = x;
        record.sumY = y;
        record.sumXX = xx;
        record.sumXY = xy;
        record.sumYY = yy;
        record.greySum = grey;
        record.greyMin = withGrey ? static_cast<std::uint16_t>(greyMin) : std::uint16_t{0};
        record.greyMax = static_cast<std::uint16_t>(greyMax);
        record.perimeter = perimeter;
        record.holes = holes;
        return record;
    }
};

} // namespace pollard::cuda

namespace pollard::cuda::ha4 {

/// Features of all objects during the summation, one array per feature as in the paper: threads that update one object
/// at the same time then meet at several addresses, not all at one.
struct FeatureTable {
    // Perimeter and holes have negative terms; their sums are exact modulo 2^64.
    enum Wide : std::uint32_t { area, x, y, xx, xy, yy, grey, perimeter, holesLessOne, wideCount };
    enum Least : std::uint32_t { left, top, greyMin, leastCount };
    enum Most : std::uint32_t { right, bottom, greyMax, mostCount };

    std::uint64_t* sums;   ///< 0 at the start
    std::uint32_t* least;  ///< all ones at the start
    std::uint32_t* most;   ///< 0 at the start
    std::uint32_t objects; ///< entries of each array

    POLLARD_DEVICE void add(Wide feature, std::uint32_t object, std::uint64_t value) const {
        addWide(sums + (std::size_t{feature} * objects + object), value);
    }
    POLLARD_DEVICE void lower(Least feature, std::uint32_t object, std::uint32_t value) const {
        lowerTo(least + (std::size_t{feature} * objects + object), value);
    }
    POLLARD_DEVICE void raise(Most feature, std::uint32_t object, std::uint32_t value) const {
        static_cast<void>(raised(most + (std::size_t{feature} * objects + object), value));
    }

    [[nodiscard]] POLLARD_DEVICE FeatureSums of(std::size_t object) const {
        const auto sum = [&](Wide feature) { return sums[std::size_t{feature} * objects + object]; };
        const auto smallest = [&](Least feature) { return least[std::size_t{feature} * objects + object]; };
        const auto largest = [&](Most feature) { return most[std::size_t{feature} * objects + object]; };
        return {sum(area),
                sum(x),
                sum(y),
                sum(xx),
                sum(xy),
                sum(yy),
                sum(grey),
                sum(perimeter),
                sum(holesLessOne) + 1,
                smallest(left),
                smallest(top),
                largest(right),
                largest(bottom),
                smallest(greyMin),
                largest(greyMax)};
    }
};

/// Step: writes an object's record.
struct WriteRecords {
    FeatureTable features;
    bool withGrey;
    ComponentRecord* records;

    POLLARD_DEVICE void operator()(std::size_t i) const { records[i] = features.of(i).record(withGrey); }
};

} // namespace pollard::cuda::ha4
