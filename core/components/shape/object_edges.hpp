#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/shape/convex_hull.hpp"
#include "components/shape/inscribed_ball.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace pollard {

/// Extent of the measurements in ObjectEdges; each value includes the previous ones. Volumes have balls and thickness.
enum class EdgeMeasure : std::uint8_t {
    none,
    border,    ///< O(sides of the image + objects)
    traced,    ///< with outlines: O(pixels + their lengths)
    hull,      ///< with convex hulls: O(pixels)
    ball,      ///< with inscribed balls: O(pixels), by a distance transform
    thickness, ///< with local thickness, see meanLocalThickness()
};

/// Measurements of an object's edge, computed from the label image; engines' records do not contain them.
struct ObjectEdge {
    std::uint64_t border = 0; ///< pixels in the first or last row or column of the image, as the attribute `border`
    /// Length of the outer outline as traced and measured by ImageJ (PolygonRoi.getTracedPerimeter): number of pixel
    /// sides minus 2 - sqrt(2) per counted corner. Going along the outline, downwards from the right end of the
    /// object's first row, a corner counts if it ends a straight part of 2 px or more, or follows a corner that does
    /// not count. Holes are ignored. The outline of an object of connectivity 8 passes through the corners that join
    /// its pixels.
    double imagejPerimeter = std::numeric_limits<double>::quiet_NaN();
};

/// Measurements of an object beside its record; null: not measured.
struct ObjectShape {
    const ObjectEdge* edge = nullptr;
    const ObjectHull* hull = nullptr;
    const InscribedBall* ball = nullptr;
    const double* thickness = nullptr;
};

/// Edges and shapes of all objects: element i is label i + 1, and no element if they are not measured. Lengths are in
/// widths of a pixel.
struct ObjectEdges {
    EdgeMeasure measured = EdgeMeasure::none;
    VoxelSides sides; ///< of a pixel, relative to its width
    std::vector<ObjectEdge> objects;
    std::vector<ObjectHull> hulls;
    std::vector<InscribedBall> balls;
    std::vector<double> thickness;

    [[nodiscard]] ObjectShape of(std::uint32_t label) const noexcept {
        const auto at = [&](const auto& values) { return values.empty() ? nullptr : &values[label - 1]; };
        return {at(objects), at(hulls), at(balls), at(thickness)};
    }
    /// Whether there are the measurements for pixels with these proportions.
    [[nodiscard]] bool has(EdgeMeasure wanted, const VoxelSides& proportions) const noexcept {
        return measured >= wanted && (wanted < EdgeMeasure::hull || sides == proportions);
    }
};

/// Measures edges and shapes on the CPU, for objects of any engine. Parallel; independent of the number of threads.
/// @param components with labels and records; of a volume needed from EdgeMeasure::ball on
/// @param sides of a pixel, relative to its width, for hulls, balls and thickness; see ObjectUnit::proportions()
/// @throws Error(invalidArgument) without labels or records unless @p measure is none, Error(outOfMemory); Cancelled
[[nodiscard]] ObjectEdges measureEdges(const Components& components, EdgeMeasure measure,
                                       const JobControl& control = {}, const VoxelSides& sides = {});

/// Removes all other objects from labels, records and counts, and relabels the kept objects 1 .. count in their order.
/// Parallel.
/// @param components of an image, with labels and records
/// @param keeps whether to keep the object of a label; called once for each object, in their order
/// @return the former labels of the kept objects, ascending
/// @throws Error(invalidArgument) without labels or records, Error(outOfMemory); Cancelled, after which the labels are
/// invalid
std::vector<std::uint32_t> keepObjects(Components& components, const std::function<bool(std::uint32_t label)>& keeps,
                                       const JobControl& control = {});

/// Removes the objects with a pixel in the first or last row or column of the image, as keepObjects() does.
/// @return number of removed objects
std::uint32_t removeBorderObjects(Components& components, const JobControl& control = {});

} // namespace pollard
