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
