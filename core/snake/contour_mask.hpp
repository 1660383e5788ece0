#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "snake/contour.hpp"

#include <cstdint>

namespace pollard {

/// An 8-bit picture: 255 where the centre of a pixel lies inside the contour (see EdgeRows), else 0. Where a contour
/// crosses itself, inside is what it goes round an odd number of times.
/// @param contour within 0..width, 0..height
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image contourMask(const Contour& contour, std::uint32_t width, std::uint32_t height,
                                const JobControl& control = {});

} // namespace pollard
