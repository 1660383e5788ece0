#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/shape/object_runs.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Convex hull of an object of an image. The convex pixels are the pixels whose centres lie in the convex hull of the
/// midpoints of the sides of the object's pixels, border included, as in scikit-image's `image_convex`. The hull is the
/// convex hull of the midpoints of the sides of the convex pixels. Lengths are px of a pixel's width.
struct ObjectHull {
    std::uint64_t area = 0; ///< number of convex pixels
    double perimeter = 0;   ///< of the hull
    double feretMax = 0;    ///< largest distance of two parallel lines that enclose the hull: its diameter
    /// Direction in which it is measured: from the x axis, clockwise on the screen, in (-pi/2, pi/2]; of equal
    /// distances the smallest angle.
    double feretMaxAngle = 0;
    double feretMin = 0;      ///< smallest distance of two parallel lines that enclose the hull
    double feretMinAngle = 0; ///< as feretMaxAngle

    bool operator==(const ObjectHull&) const = default;
};

/// Hulls of all objects, in the order of their labels. Vertices are exact integers: monotone chains over the rows of an
/// object (A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979) and rotating calipers
/// (M. I. Shamos, "Computational geometry", 1978). Linear in the runs of pixels, parallel over objects, independent of
/// the number of threads.
/// @param components of an image
/// @param runs of the components
/// @param sides of a pixel, relative to its width
/// @throws std::bad_alloc; Cancelled
[[nodiscard]] std::vector<ObjectHull> convexHulls(const Components& components, const ObjectRuns& runs,
                                                  const VoxelSides& sides = {}, const JobControl& control = {});

} // namespace pollard
