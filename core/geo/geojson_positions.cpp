#include "geo/geojson_positions.hpp"

#include "base/number_text.hpp"
#include "geo/map_coordinates.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard {

namespace {

void writeNumber(TextFile& file, double degrees, int decimals) {
    const std::string number = fixedText(degrees, decimals);
    std::string_view text = number;
    if (text.find('.') != std::string_view::npos) {
        text.remove_suffix(text.size() - 1 - text.find_last_not_of('0'));
        text.remove_suffix(text.ends_with('.') ? 1 : 0);
    }
    file << (text == "-0" ? "0" : text);
}

void writePosition(TextFile& file, const MapPoint& place, int decimals) {
    file << '[';
    writeNumber(file, place.x, decimals);
    file << ',';
    writeNumber(file, place.y, decimals);
    file << ']';
}

void writePolygon(TextFile& file, const MapPolygon& polygon, int decimals) {
    file << '[';
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        file << (i == 0 ? "[" : ",[");
        for (const MapPoint& place : polygon[i]) {
            writePosition(file, place, decimals);
            file << ',';
        }
        writePosition(file, polygon[i].front(), decimals); // GeoJSON repeats the first
        file << ']';
    }
    file << ']';
}

} // namespace

std::string_view nameOf(GeoJsonIn positions) noexcept {
    constexpr std::array<std::string_view, kGeoJsonIn.size()> kNames{"pixels", "degrees"};
    return kNames[static_cast<std::size_t>(positions)];
}

std::string_view positionsMark(const MapCoordinates* map) noexcept {
    return map == nullptr ? std::string_view() : R"("pollard_coordinates":"longitude/latitude",)";
}

int lonLatDecimals(const MapCoordinates& map) noexcept {
    constexpr double kPart = 1e-6; // px
    constexpr int kLeast = 9;
    constexpr int kMost = 14;
    const double decimals = std::ceil(-std::log10(map.degreesPerPixel() * kPart));
    return static_cast<int>(std::clamp<double>(decimals, kLeast, kMost));
}

double rounded(double degrees, int decimals) noexcept {
    const double scale = std::pow(10, decimals);
    return std::round(degrees * scale) / scale;
}

void writeGeometry(TextFile& file, const std::vector<MapPolygon>& polygons, int decimals) {
    file << (polygons.size() == 1 ? R"({"type":"Polygon","coordinates":)"
                                  : R"({"type":"MultiPolygon","coordinates":[)");
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        file << (i == 0 ? "" : ",");
        writePolygon(file, polygons[i], decimals);
    }
    file << (polygons.size() == 1 ? "}" : "]}");
}

} // namespace pollard
