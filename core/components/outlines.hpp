#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Corner of pixels: (x, y) is the upper left corner of the pixel (x, y).
struct OutlinePoint {
    std::uint32_t x = 0;
    std::uint32_t y = 0;

    bool operator==(const OutlinePoint&) const = default;
};

/// Closed curve along pixel edges, given by its corners, the first one not repeated. It visits no point twice.
struct OutlineRing {
    std::uint32_t label = 0; ///< of the object
    std::uint32_t piece = 0; ///< number of the polygon that it bounds, see Outlines
    bool hole = false;       ///< else the outer border
    std::size_t first = 0;   ///< in Outlines::points
    std::size_t last = 0;    ///< one past its last corner
};

/// Outlines of objects as polygons without overlaps: a polygon ("piece") has one outer ring and any number of holes,
/// which touch each other and the outer ring in single points at most. An object of connectivity 8 has a polygon for
/// each of its parts that only corners join; an object of connectivity 4 has one polygon.
///
/// With y pointing down, outer rings turn clockwise as seen and have a positive area in the numbers given; holes the
/// other way round (RFC 7946, 3.1.6).
struct Outlines {
    std::vector<OutlinePoint> points;
    std::vector<OutlineRing> rings; ///< by label, then piece, then the outer ring before its holes

    [[nodiscard]] std::span<const OutlinePoint> pointsOf(const OutlineRing& ring) const noexcept {
        return std::span(points).subspan(ring.first, ring.last - ring.first);
    }
};

/// Follows the borders of all objects of a labelled mask.
/// @param components with its label image
/// @throws Error(invalidArgument) without labels, Error(outOfMemory); Cancelled
[[nodiscard]] Outlines traceOutlines(const Components& components, const JobControl& control = {});

/// Where the rings of object number i + 1 start in Outlines::rings, at place i, and their end behind the last.
[[nodiscard]] std::vector<std::size_t> firstRings(const Components& components, const Outlines& outlines);

} // namespace pollard
