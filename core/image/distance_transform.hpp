#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <limits>

namespace pollard {

/// Distance of the pixels of a mask without unset pixels.
inline constexpr std::uint32_t kNoDistance = std::numeric_limits<std::uint32_t>::max();

/// Exact squared Euclidean distance of every set pixel to the nearest unset pixel, px^2, in raster order; 0 at unset
/// pixels. Pixels outside the image are neither set nor unset. One pass along the rows and one along each other axis
/// for the lower envelope of parabolas (Meijster, Roerdink, Hesselink, "A general algorithm for computing distance
/// transforms in linear time", 2000; Felzenszwalb, Huttenlocher, "Distance transforms of sampled functions", 2012).
/// Linear, parallel, independent of the number of threads; 4 bytes per pixel.
/// @param slices of a volume, whose rows the mask has, see thresholdMask()
/// @throws Error(limitExceeded) if the squared diagonal of the image does not fit 32 bits, Error(invalidArgument) if
/// the mask does not have the rows of all slices, Error(outOfMemory); Cancelled
[[nodiscard]] Buffer<std::uint32_t> squaredDistances(const Mask& mask, std::uint32_t slices = 1,
                                                     const JobControl& control = {});

/// Euclidean distances in the unit of the sides of pixels; infinite in a mask without unset pixels. 8 bytes per pixel.
/// @throws Error(invalidArgument) for a side that is not positive and finite; as squaredDistances()
[[nodiscard]] Buffer<double> distances(const Mask& mask, const VoxelSides& sides, std::uint32_t slices = 1,
                                       const JobControl& control = {});

/// Levels of a distanceLevels() per unit of distance.
inline constexpr double kDistanceSteps = 16;

/// The distances as levels of 16 bits, in steps of 1/16 of the unit of the sides; 65,535 for longer ones.
/// @param extent of the mask
/// @throws as squaredDistances() for equal sides, else as distances()
[[nodiscard]] Image distanceLevels(const Mask& mask, const Extent& extent, const VoxelSides& sides,
                                   const JobControl& control = {});

} // namespace pollard
