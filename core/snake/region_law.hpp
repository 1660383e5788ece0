#pragma once

#include "base/compiler.hpp"
#include "base/table_log.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace pollard {

/// Number of pixels, sum of their levels and sum of squared levels. Terms can be negative: the sums of a region are the
/// sums over its edges of the pixels left of each edge.
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

/// Distribution of the levels in a region, on which the homogeneity in the statistical snake is based (Chesnaud,
/// Réfrégier, Boulet, "Statistical region snake-based segmentation adapted to different physical noise models", 1999).
enum class RegionLaw : std::uint8_t {
    gaussian, ///< unknown mean and variance: cameras, most images
    poisson,  ///< unknown mean, counts: few photons in microscopy, astronomy
    gamma,    ///< unknown mean, known order: speckle in intensity (radar)
    rayleigh, ///< unknown scale: speckle in amplitude (radar, ultrasound)
};
inline constexpr std::array kRegionLaws{RegionLaw::gaussian, RegionLaw::poisson, RegionLaw::gamma, RegionLaw::rayleigh};
/// "gaussian", "poisson", "gamma", "rayleigh"
[[nodiscard]] std::string_view nameOf(RegionLaw law) noexcept;

/// Negative logarithm of a region's generalised likelihood: unknown parameters take their maximum-likelihood values,
/// and terms that no contour changes are omitted. For n pixels with the sum Z and the sum of squares Q of their levels:
///
///     gaussian    n/2 ln(Q/n - (Z/n)^2)        poisson    -Z ln(Z/n)
///     gamma       n ln(Z/n)                    rayleigh   n ln(Q/n)
///
/// Arguments of logarithms are at least 1/12, the variance of rounding to integers, so that constant regions have a
/// finite energy.
struct RegionEnergy {
    RegionLaw law = RegionLaw::gaussian;
    std::int64_t centre = 0; ///< near the image's mean: sums are shifted by it, to stay exact in doubles
    const TableLog::Entry* table = nullptr;

    /// @param sums with at least one pixel
    [[nodiscard]] POLLARD_HOST_DEVICE double operator()(const RegionSums& sums) const noexcept {
        const auto n = static_cast<double>(sums.pixels);
        switch (law) {
        case RegionLaw::gaussian: {
            const std::int64_t levels = sums.levels - centre * sums.pixels;
            const std::int64_t squares = sums.squares - 2 * centre * sums.levels + centre * centre * sums.pixels;
            const auto z = static_cast<double>(levels);
            return 0.5 * n * logOfRatio(n * static_cast<double>(squares) - z * z, n, 2);
        }
        case RegionLaw::poisson: {
            const auto z = static_cast<double>(sums.levels);
            return sums.levels == 0 ? 0 : -z * logOfRatio(z, n, 1);
        }
        case RegionLaw::gamma:
            return n * logOfRatio(static_cast<double>(sums.levels), n, 1);
        case RegionLaw::rayleigh:
            return n * logOfRatio(static_cast<double>(sums.squares), n, 1);
        }
        return 0;
    }

private:
    static constexpr double kLeast = -2.4849066497880004; ///< ln(1/12)

    /// max(kLeast, ln(value / n^power)).
    [[nodiscard]] POLLARD_HOST_DEVICE double logOfRatio(double value, double n, int power) const noexcept {
        if (!(value > 0)) {
            return kLeast;
        }
        const double ratio = TableLog::of(value, table) - power * TableLog::of(n, table);
        return ratio < kLeast ? kLeast : ratio;
    }
};

} // namespace pollard
