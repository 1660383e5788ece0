#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

namespace pollard {

/// The objects of an image or a volume of labels and their measurements, as labelComponents() has them. Objects may
/// touch each other. O(pixels).
/// @param labels numbered in raster order of their first pixels; the pixels of each are connected by @p connectivity
/// @param grey image to measure, of the same size; null: the grey fields are 0
/// @param connectivity 4 or 8 of an image, 6, 18 or 26 of a volume
/// @throws Error as requireMeasurable(); Cancelled
[[nodiscard]] Components measureLabels(LabelImage labels, const Image* grey, Connectivity connectivity,
                                       const JobControl& control = {});

} // namespace pollard
