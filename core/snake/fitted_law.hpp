#pragma once

#include "snake/region_law.hpp"
#include "snake/region_sums.hpp"

namespace pollard {

/// A law with the parameters that make a region's levels most likely.
class FittedLaw {
public:
    /// The order of gamma, which the energy does not need, is mean^2 / variance. A variance counts as at least 1/12,
    /// that of rounding to whole levels; a mean and a mean square as no less.
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
