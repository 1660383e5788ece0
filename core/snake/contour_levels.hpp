#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"
#include "snake/region_sums.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Histogram of the pixels inside a contour (see ContourRows): 256 or 65,536 counts.
/// @param contour within the image
/// @param valid pixels to count, of the image's size; null: all
/// @throws Cancelled
[[nodiscard]] std::vector<std::uint64_t> levelsInside(const Image& image, const Contour& contour, const Mask* valid,
                                                      const JobControl& control = {});

/// A law with the maximum-likelihood parameters of a region's levels.
class FittedLaw {
public:
    /// The order of gamma, which the energy does not need, is mean^2 / variance. Variance, mean and mean square are at
    /// least 1/12, the variance of rounding to integers.
    /// @param sums with at least one pixel
    FittedLaw(RegionLaw law, const RegionSums& sums) noexcept;

    /// Probability of a level, per grey level:
    ///
    ///     gaussian  exp(-(x - m)^2 / 2v) / sqrt(2 pi v)     poisson   exp(x ln m - m - ln Gamma(x + 1))
    ///     gamma     (L/m)^L x^(L-1) exp(-L x/m) / Gamma(L)  rayleigh  x / s^2 exp(-x^2 / 2 s^2), 2 s^2 = mean square
    [[nodiscard]] double density(double level) const noexcept;

private:
    RegionLaw law_;
    double mean_;
    double variance_;
    double meanSquare_;
};

} // namespace pollard
