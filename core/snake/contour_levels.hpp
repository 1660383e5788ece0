#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"

#include <cstdint>
#include <optional>
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

/// Chooses the law of the levels around some starts by how the noise grows with the level.
///
/// The noise of a pixel is its second difference along the row, which an even slope does not change. The pixels around
/// the starts (partAround() with the margin @p apart, or if unset with the extent of each start) are sorted by the mean
/// of these three pixels into eight bins of equal width between the percentiles 1 and 99 of the means. In each bin with
/// at least 30 pixels and 2 % of all pixels, the variance s2 follows from the median of the absolute differences, and m
/// is the mean level. The chosen law has the least mean square of ln s2 - a - p ln m, for the best a: p = 0 Gaussian, p
/// = 1 Poisson, p = 2 Gamma, or Rayleigh if s2 / m^2 is within a fourth of (4 - pi) / pi. A law other than Gaussian is
/// chosen only if its mean square is at most half of that for Gaussian.
/// @param valid pixels that count; null: all
/// @param apart as ContourEngine::apart
[[nodiscard]] RegionLaw chosenLaw(const Image& image, const Mask* valid, const std::vector<Contour>& starts,
                                  const std::optional<std::uint32_t>& apart);

} // namespace pollard
