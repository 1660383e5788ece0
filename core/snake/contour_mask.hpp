#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour.hpp"

#include <cstdint>

namespace pollard {

/// An 8-bit picture: 255 where the centre of a pixel lies inside the contour (see ContourRows), else 0.
/// @param contour within 0..width, 0..height
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height,
                                const JobControl& control = {});

} // namespace pollard
