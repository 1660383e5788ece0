#pragma once

#include "geo/map_coordinates.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pollard {

class TextFile;

/// Converts a polygon of the image to polygons in longitude and latitude as in GeoJSON (RFC 7946): outer rings
/// anticlockwise, holes clockwise, without repeating the first corner. Edges that are straight in the image and curved
/// on the earth get more corners, for an error below a tenth of a pixel. A polygon that crosses the antimeridian is cut
/// there; a ring around a pole follows the antimeridian to it.
/// @param polygon in px; rings of either orientation
/// @throws Error(formatUnsupported) if a corner has no longitude and latitude
[[nodiscard]] std::vector<MapPolygon> earthPolygons(const MapCoordinates& map, const MapPolygon& polygon);

/// Cuts a polygon with continuous longitudes, which may exceed 180 degrees, along the antimeridian, and moves the parts
/// into [-180, 180] (RFC 7946, 3.1.9). A polygon that does not cross it is only moved.
/// @param polygon outer ring anticlockwise (in x to the right, y up), holes clockwise
[[nodiscard]] std::vector<MapPolygon> cutAtAntimeridian(MapPolygon polygon);

/// Unit of the positions in GeoJSON.
enum class GeoJsonIn : std::uint8_t {
    pixels,  ///< px along the edges of pixels, y pointing down
    degrees, ///< longitude and latitude if the image has map coordinates, else px
};
inline constexpr std::array kGeoJsonIn{GeoJsonIn::pixels, GeoJsonIn::degrees};
/// "pixels", "degrees"
[[nodiscard]] std::string_view nameOf(GeoJsonIn positions) noexcept;

/// Member of the outermost GeoJSON object that marks longitude and latitude, and its value. Without it, positions are
/// px. Other programs ignore it (RFC 7946, 6.1).
inline constexpr std::string_view kPositionsMember = "pollard_coordinates";
inline constexpr std::string_view kLonLatPositions = "longitude/latitude";
/// The mark as text with a trailing comma, for output after "type"; empty without a map.
[[nodiscard]] std::string_view positionsMark(const MapCoordinates* map) noexcept;

/// Number of decimals that preserves a position to a millionth of a pixel, at least 9 (a tenth of a millimetre).
[[nodiscard]] int lonLatDecimals(const MapCoordinates& map) noexcept;
[[nodiscard]] double rounded(double degrees, int decimals) noexcept;

/// Writes the result of earthPolygons() as a Polygon or MultiPolygon.
void writeGeometry(TextFile& file, const std::vector<MapPolygon>& polygons, int decimals);

} // namespace pollard
