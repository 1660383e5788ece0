#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"
#include "snake/region_law.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard {

/// The law of the levels around some starts, by the growth of the noise with the level.
///
/// The noise of a pixel is its second difference along the row, which an even slope does not change. The pixels of the
/// starts' parts (partAround(); without a margin, of the extent of each start) are sorted by the mean of these three
/// pixels into eight bins of equal width between their hundredth and their hundredth from above. In each bin that has
/// at least 30 pixels and 2 % of all, the variance s2 follows from the median of the absolute differences, and m is the
/// mean level. The law is the one with the least mean square of ln s2 - a - p ln m, for the best a: p = 0 Gaussian, p =
/// 1 Poisson, p = 2 Gamma, or Rayleigh if s2 / m^2 is within a fourth of (4 - pi) / pi. Another law than Gaussian needs
/// at most half of the mean square of Gaussian.
/// @param valid pixels that count; null: all
/// @param apart as ContourEngine::apart
[[nodiscard]] RegionLaw chosenLaw(const Image& image, const Mask* valid, const std::vector<Contour>& starts,
                                  const std::optional<std::uint32_t>& apart);

} // namespace pollard
