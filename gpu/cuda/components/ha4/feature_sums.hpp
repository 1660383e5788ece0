#pragma once

#include "components/components.hpp"
#include "cuda/device/host_device.hpp"

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
