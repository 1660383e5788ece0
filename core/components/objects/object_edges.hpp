#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace pollard {

/// How much of ObjectEdge is measured; each includes the ones before it.
enum class EdgeMeasure : std::uint8_t {
    none,
    border, ///< O(sides of the image + objects)
    traced, ///< also the outlines: O(pixels + their lengths)
};

/// Measurements of an object's edge, taken from the label image. The records of the engines do not hold them.
struct ObjectEdge {
    std::uint64_t border = 0; ///< pixels in the first or last row or column of the image, as the attribute `border`
    /// Length of the outer outline as ImageJ traces and measures it (PolygonRoi.getTracedPerimeter): pixel sides, less
    /// 2 - sqrt(2) for every corner that counts. Corners count in turn along the outline, downwards from the right end
    /// of the object's first row: each one that ends a straight part of 2 px or more, or that follows a corner which
    /// does not count. Holes add nothing. The outline of an object of connectivity 8 passes through the corners that
    /// join its pixels.
    double imagejPerimeter = std::numeric_limits<double>::quiet_NaN();
};

/// Edges of all objects.
struct ObjectEdges {
    EdgeMeasure measured = EdgeMeasure::none;
    std::vector<ObjectEdge> objects; ///< object number i + 1 at place i; empty if nothing is measured

    /// Null if nothing is measured.
    [[nodiscard]] const ObjectEdge* of(std::uint32_t label) const noexcept {
        return objects.empty() ? nullptr : &objects[label - 1];
    }
};

/// Measures the edges on the CPU, whichever engine made the objects. Parallel; the same for any number of threads.
/// @param components with labels and records
/// @throws Error(invalidArgument) without them, if something is measured, Error(outOfMemory); Cancelled
[[nodiscard]] ObjectEdges measureEdges(const Components& components, EdgeMeasure measure,
                                       const JobControl& control = {});

} // namespace pollard
