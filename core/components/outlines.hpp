#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "components/components.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// Corner in the pixel grid: (x, y) is the upper left corner of pixel (x, y).
struct OutlinePoint {
    std::uint32_t x = 0;
    std::uint32_t y = 0;

    bool operator==(const OutlinePoint&) const = default;
};

/// Closed curve along pixel edges, as its corners without repeating the first. Visits no point twice.
struct OutlineRing {
    std::uint32_t label = 0; ///< of the object
    std::uint32_t piece = 0; ///< label of its polygon, see Outlines
    bool hole = false;       ///< false: the outer border
    std::size_t first = 0;   ///< index of its first corner in Outlines::points
    std::size_t last = 0;    ///< one past its last corner
};

/// Outlines of objects as polygons without overlaps: a polygon ("piece") has one outer ring and any number of holes,
/// which touch each other and the outer ring at most in single points. An object of connectivity 8 has a polygon for
/// each 4-connected part; an object of connectivity 4 has one polygon.
///
/// With y pointing down, outer rings are clockwise on the screen and have a positive area in these coordinates; holes
/// have the opposite orientation (RFC 7946, 3.1.6).
struct Outlines {
    std::vector<OutlinePoint> points;
    std::vector<OutlineRing> rings; ///< by label, then piece, then outer ring before holes

    [[nodiscard]] std::span<const OutlinePoint> pointsOf(const OutlineRing& ring) const noexcept {
        return std::span(points).subspan(ring.first, ring.last - ring.first);
    }
};

/// Traces the borders of all labelled objects.
/// @param components with label image
/// @throws Error(invalidArgument) without labels, Error(outOfMemory); Cancelled
[[nodiscard]] Outlines traceOutlines(const Components& components, const JobControl& control = {});

/// Traces the borders in rows of labels, with a polygon for each 4-connected part of an object. Labels of different
/// objects are not neighbours along rows and columns.
/// @param labels (rows, width), 0 = background
/// @throws std::bad_alloc; Cancelled
[[nodiscard]] Outlines traceOutlines(std::span<const std::uint32_t> labels, std::uint32_t width,
                                     const JobControl& control = {});

/// Element i is the index in Outlines::rings of the first ring of label i + 1; the last element is the number of rings.
[[nodiscard]] std::vector<std::size_t> firstRings(const Components& components, const Outlines& outlines);

} // namespace pollard
