#pragma once

#include "geo/map_point.hpp"

#include <vector>

namespace pollard {

/// Cuts a polygon with continuous longitudes, which may exceed 180 degrees, along the antimeridian, and moves the parts
/// into [-180, 180] (RFC 7946, 3.1.9). A polygon that does not cross it is only moved.
/// @param polygon outer ring anticlockwise (in x to the right, y up), holes clockwise
[[nodiscard]] std::vector<MapPolygon> cutAtAntimeridian(MapPolygon polygon);

} // namespace pollard
