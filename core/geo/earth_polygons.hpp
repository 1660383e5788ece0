#pragma once

#include "geo/map_coordinates.hpp"
#include "geo/map_point.hpp"

#include <vector>

namespace pollard {

/// A polygon of the picture as polygons in longitude and latitude (RFC 7946): outer rings turn anticlockwise, holes
/// clockwise, each given by its corners without the first one again. Edges that are straight in the picture and bent on
/// the earth get more corners, so that no place on them is off by more than a tenth of a pixel. A polygon that
/// crosses the antimeridian is cut there into several; a ring around a pole runs along the antimeridian to it.
/// @param polygon in px; rings may turn either way
/// @throws Error(formatUnsupported) if a corner has no longitude and latitude
[[nodiscard]] std::vector<MapPolygon> earthPolygons(const MapCoordinates& map, const MapPolygon& polygon);

} // namespace pollard
