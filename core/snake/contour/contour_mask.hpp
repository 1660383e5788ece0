#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// 8-bit mask: 255 for pixels with their centre inside the contour (see ContourRows), else 0.
/// @param contour within 0..width, 0..height
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height,
                                const JobControl& control = {});

/// Label image of disjoint regions: i + 1 inside contour i, 0 elsewhere; 8 bits if the labels fit, else 16.
/// @throws Error(limitExceeded) for more than 65,535 contours, Error(outOfMemory)
[[nodiscard]] Image contourLabels(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height);

/// Mask file content: contourMask() of a single contour, contourLabels() of several.
/// @param contours at least one
[[nodiscard]] Image maskOfContours(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height,
                                   const JobControl& control = {});

} // namespace pollard
