#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "operators/flat_operators.hpp"

namespace pollard {

/// Gaussian smoothing along one axis after another, z, y, x, in 64-bit floating point, rounded to the nearest level,
/// half up. The kernel reaches to the pixel nearest to 4 sigma; the image is mirrored at its borders, the border pixel
/// included. The values before rounding equal scipy.ndimage.gaussian_filter of the same levels as float64. Pixels
/// outside of the mask have no weight and stay as they are. Parallel, independent of the number of threads.
/// @param sigma in the unit of Image::sides(), from 0
/// @param inside null: all pixels
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image gaussianOf(const Image& image, double sigma, const Mask* inside, const JobControl& control);

/// The median of the pixels inside that the structuring element around a pixel contains, of an even number the lower
/// one of both in the middle; the image is mirrored at its borders as by gaussianOf(). The pixels of
/// a tile are sorted, and a bit per rank moves along each row (Suomela, "Median filtering is equivalent to sorting",
/// 2014); a histogram of levels (Huang, Yang, Tang, "A fast two-dimensional median filtering algorithm", 1979) for
/// structuring elements beyond the tables of a tile. Cost in proportion to the rows of the structuring element.
/// @throws Error(outOfMemory); Cancelled
[[nodiscard]] Image medianOf(const Image& image, const StructuringElement& element, const Mask* inside,
                             const JobControl& control);

} // namespace pollard
