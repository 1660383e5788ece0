#pragma once

#include "geo/map_point.hpp"

#include <vector>

namespace pollard {

/// Cuts a polygon whose longitudes are continuous, and may run beyond 180 degrees, along the antimeridian, and moves
/// the parts into [-180, 180] (RFC 7946, 3.1.9). One that does not cross it is moved as a whole.
/// @param polygon outer ring anticlockwise (in x to the right, y up), holes clockwise
[[nodiscard]] std::vector<MapPolygon> cutAtAntimeridian(MapPolygon polygon);

} // namespace pollard
