#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>

namespace pollard {

/// The regions of a hierarchy if boundaries of at most @p strength are removed. O(pixels + basins log basins)
/// @param valid pixels with data; all others have the label 0; null: all pixels have data
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] LabelImage regions(const Hierarchy& hierarchy, std::uint64_t strength, const Mask* valid = nullptr,
                                 const JobControl& control = {});

/// The image with the mean level of its region, rounded half up, at each pixel. A pixel with the label 0 keeps its
/// level.
/// @param labels of regions(), of the image's size
/// @throws Error(invalidArgument) for another size; Error(outOfMemory), Cancelled
[[nodiscard]] Image regionMeans(const Image& image, const LabelImage& labels, const JobControl& control = {});

/// Per pixel the strength of the strongest boundary between it and its neighbours that share a side: the saliency map
/// of the hierarchy, on pixels. The pixels above a strength are the boundaries of the regions for it, two pixels wide.
/// Pixels without data have no boundaries.
/// @throws Error(outOfMemory), Cancelled
[[nodiscard]] Buffer<std::uint64_t> boundaryStrengths(const Hierarchy& hierarchy, const JobControl& control = {});

} // namespace pollard
