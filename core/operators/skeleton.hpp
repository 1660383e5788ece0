#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

namespace pollard {

/// Skeleton of a mask: lines of one pixel with its connected components, holes and tunnels (Lee, Kashyap, Chu,
/// "Building skeleton models via 3-D medial surface/axis thinning algorithms", 1994). Border pixels of one direction
/// after another, -y, +y, +x, -x, in volumes +z, -z, become background until no direction changes. Of the pixels whose
/// neighbour in the direction is background, those are removed that are no end of a line (one neighbour of 8, or 26),
/// leave the Euler number as it is and have connected neighbours; in raster order, if their neighbours still are
/// connected then. Pixels beyond the image are background. Equals skimage.morphology.skeletonize(method="lee"). Time in
/// proportion to the pixels of the mask and its thickness.
/// @param slices of a volume, whose rows the mask has
/// @throws Error(invalidArgument) if the slices cannot share the rows equally, Error(outOfMemory); Cancelled
[[nodiscard]] Mask skeletonOf(const Mask& mask, std::uint32_t slices = 1, const JobControl& control = {});

} // namespace pollard
