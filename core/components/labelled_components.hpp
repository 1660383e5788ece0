#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// The objects of an image or a volume of labels and their measurements, as labelComponents() has them. Objects may
/// touch each other. O(pixels).
/// @param labels numbered in raster order of their first pixels; the pixels of each are connected by @p connectivity
/// @param grey image to measure, of the same size; null: the grey fields are 0
/// @param connectivity 4 or 8 of an image, 6, 18 or 26 of a volume
/// @throws Error as requireMeasurable(); Cancelled
[[nodiscard]] Components measureLabels(LabelImage labels, const Image* grey, Connectivity connectivity,
                                       const JobControl& control = {});

/// The objects of a label image with any numbers, in ascending order of the numbers: an object is the set of all pixels
/// with its number, in one part or several. Sets Components::numbers unless the numbers are 1 .. count. O(pixels).
/// @param numbers in raster order, 0: background
/// @param inside pixels to consider; null: all. The others are background.
/// @throws Error as measureLabels(), Error(outOfMemory); Cancelled
[[nodiscard]] Components measureNumbers(std::span<const std::uint32_t> numbers, const Extent& extent,
                                        const Mask* inside, const Image* grey, Connectivity connectivity,
                                        const JobControl& control = {});

} // namespace pollard
