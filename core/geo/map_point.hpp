#pragma once

#include <vector>

namespace pollard {

/// A position in the image (px, x to the right, y down, integers at pixel corners), in a coordinate system of the map
/// (x to the east, y to the north) or on the earth (x the longitude, y the latitude, in degrees).
struct MapPoint {
    double x = 0;
    double y = 0;

    bool operator==(const MapPoint&) const = default;
};

/// Corners of a closed curve, without repeating the first.
using MapRing = std::vector<MapPoint>;
/// An outer ring, then its holes.
using MapPolygon = std::vector<MapRing>;

} // namespace pollard
