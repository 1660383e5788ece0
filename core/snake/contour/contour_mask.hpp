#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// An 8-bit picture: 255 where the centre of a pixel lies inside the contour (see ContourRows), else 0.
/// @param contour within 0..width, 0..height
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height,
                                const JobControl& control = {});

/// A picture of regions that have no pixel in common: i + 1 inside the contour at place i, 0 elsewhere; 8 bits where
/// these numbers fit, else 16.
/// @throws Error(limitExceeded) for more than 65,535 contours, Error(outOfMemory)
[[nodiscard]] Image contourLabels(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height);

/// What is written as the mask of contours: contourMask() of a single one, contourLabels() of several.
/// @param contours one at least
[[nodiscard]] Image maskOfContours(std::span<const Contour> contours, std::uint32_t width, std::uint32_t height,
                                   const JobControl& control = {});

} // namespace pollard
