#pragma once

#include "geo/map_point.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pollard {

class MapCoordinates;
class TextFile;

/// Unit of the positions in GeoJSON.
enum class GeoJsonIn : std::uint8_t {
    pixels,  ///< px of the picture along the edges of pixels, y pointing down
    degrees, ///< longitude and latitude, where the picture has map coordinates; px where it has none
};
inline constexpr std::array kGeoJsonIn{GeoJsonIn::pixels, GeoJsonIn::degrees};
/// "pixels", "degrees"
[[nodiscard]] std::string_view nameOf(GeoJsonIn positions) noexcept;

/// Member of the outermost object of GeoJSON that is in longitude and latitude, and its value. Without it, positions
/// are px. Other programs pass over it (RFC 7946, 6.1).
inline constexpr std::string_view kPositionsMember = "pollard_coordinates";
inline constexpr std::string_view kLonLatPositions = "longitude/latitude";
/// The same as text with a comma behind it, to be written after "type"; empty without a map.
[[nodiscard]] std::string_view positionsMark(const MapCoordinates* map) noexcept;

/// Digits behind the point with which a place is found again within a millionth of a pixel, 9 at least: a tenth of a
/// millimetre.
[[nodiscard]] int lonLatDecimals(const MapCoordinates& map) noexcept;
[[nodiscard]] double rounded(double degrees, int decimals) noexcept;

/// Writes a geometry, Polygon or MultiPolygon, of polygons that earthPolygons() gave.
void writeGeometry(TextFile& file, const std::vector<MapPolygon>& polygons, int decimals);

} // namespace pollard
