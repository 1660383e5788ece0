#pragma once

#include "cuda/components/ha4/feature_sums.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

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
