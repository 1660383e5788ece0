#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Histogram of the pixels inside a contour (see ContourRows): 256 or 65,536 counts.
/// @param contour within the image
/// @param valid pixels to count, of the image's size; null: all
/// @throws Cancelled
[[nodiscard]] std::vector<std::uint64_t> levelsInside(const Image& image, const Contour& contour, const Mask* valid,
                                                      const JobControl& control = {});

} // namespace pollard
