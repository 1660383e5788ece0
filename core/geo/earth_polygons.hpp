#pragma once

#include "geo/map_coordinates.hpp"
#include "geo/map_point.hpp"

#include <vector>

namespace pollard {

/// Converts a polygon of the image to polygons in longitude and latitude (RFC 7946): outer rings anticlockwise, holes
/// clockwise, without repeating the first corner. Edges that are straight in the image and curved on the earth get
/// more corners, for an error below a tenth of a pixel. A polygon that crosses the antimeridian is cut there; a ring
/// around a pole follows the antimeridian to it.
/// @param polygon in px; rings of either orientation
/// @throws Error(formatUnsupported) if a corner has no longitude and latitude
[[nodiscard]] std::vector<MapPolygon> earthPolygons(const MapCoordinates& map, const MapPolygon& polygon);

} // namespace pollard
