#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/shape/object_runs.hpp"
#include "image/image.hpp"

#include <span>
#include <vector>

namespace pollard {

/// Mean local thickness of all objects, in the order of their labels: the mean over the pixels p of an object of the
/// largest diameter 2 D(c) among the balls around pixels c of the object that contain p, |p - c| < D(c), with D the
/// distance of centres to the nearest pixel outside of the object (T. Hildebrand, P. Rueegsegger, "A new method for the
/// model-independent assessment of thickness in three-dimensional images", 1997). The largest local thickness is the
/// diameter of the inscribed ball. Balls are painted from the largest on, and painted pixels of a row are stepped over
/// at once: the time is the number of pixels times the mean number of rows of a ball at most. Balls without a new pixel
/// are left out of large objects by distances to the pixels that are not painted. Parallel over objects, independent of
/// the number of threads; 4 bytes per pixel, and 16 per pixel of the objects in work.
/// @param squares of squaredDistancesToOthers() with @p sides
/// @throws std::bad_alloc; Error of distances(); Cancelled
[[nodiscard]] std::vector<double> meanLocalThickness(const Components& components, const ObjectRuns& runs,
                                                     std::span<const double> squares, const VoxelSides& sides = {},
                                                     const JobControl& control = {});

} // namespace pollard
