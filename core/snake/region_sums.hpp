#pragma once

#include "base/host_device.hpp"

#include <cstdint>

namespace pollard {

/// Number of pixels, sum of their levels and sum of squared levels. Terms can be negative: a region is the sum over its
/// edges of the pixels to their left.
struct RegionSums {
    std::int64_t pixels = 0;
    std::int64_t levels = 0;
    std::int64_t squares = 0;

    POLLARD_HOST_DEVICE constexpr RegionSums& operator+=(const RegionSums& other) noexcept {
        pixels += other.pixels;
        levels += other.levels;
        squares += other.squares;
        return *this;
    }
    POLLARD_HOST_DEVICE constexpr RegionSums& operator-=(const RegionSums& other) noexcept {
        pixels -= other.pixels;
        levels -= other.levels;
        squares -= other.squares;
        return *this;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE friend constexpr RegionSums operator+(RegionSums a,
                                                                            const RegionSums& b) noexcept {
        return a += b;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE friend constexpr RegionSums operator-(RegionSums a,
                                                                            const RegionSums& b) noexcept {
        return a -= b;
    }
    bool operator==(const RegionSums&) const = default;
};

/// Mean and population variance of the levels of a region with at least one pixel.
[[nodiscard]] inline double meanOf(const RegionSums& sums) noexcept {
    return static_cast<double>(sums.levels) / static_cast<double>(sums.pixels);
}
[[nodiscard]] inline double varianceOf(const RegionSums& sums) noexcept {
    const double mean = meanOf(sums);
    const double variance = static_cast<double>(sums.squares) / static_cast<double>(sums.pixels) - mean * mean;
    return variance > 0 ? variance : 0;
}

} // namespace pollard
