#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"

namespace pollard {

/// The objects of an image of labels and their measurements, as labelComponents() has them. Objects may touch each
/// other. O(pixels).
/// @param labels of an image; every label is a set of pixels with 8-neighbours
/// @param grey image to measure, of the same size; null: the grey fields are 0
/// @throws Error as requireMeasurable(); Cancelled
[[nodiscard]] Components measureLabels(LabelImage labels, const Image* grey, const JobControl& control = {});

} // namespace pollard
