#include "base/error.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/vector_polygons.hpp"
#include "snake/contour/contour_files.hpp"
#include "json/json_members.hpp"
#include "json/json_weight.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;
constexpr JsonLimits kLimits{32, std::uint64_t{512} << 20U};
/// Above the side of any image.
constexpr double kMostPixels = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::fileDamaged, "contour: " + why); }

bool hasType(const Json& json, const char* name) {
    const Json* type = memberOf(json, "type");
    return type != nullptr && *type == name;
}

/// Elements of an array member; empty if there is none.
std::span<const Json> elementsOf(const Json& json, const char* name) {
    const Json* array = memberOf(json, name);
    return array != nullptr && array->is_array() ? std::span(array->get_ref<const Json::array_t&>())
                                                 : std::span<const Json>{};
}

std::int32_t nodeCoordinate(double value) {
    if (!(value >= 0 && value <= kMostPixels)) {
        refuse("a coordinate is no number of pixels from 0 on");
    }
    return static_cast<std::int32_t>(std::lround(value));
}

MapRing ringIn(const Json& json) {
    if (!json.is_array()) {
        refuse("a polygon has no ring");
    }
    MapRing ring;
    for (const Json& position : json) {
        if (!position.is_array() || position.size() < 2 || !position[0].is_number() || !position[1].is_number()) {
            refuse("a position is no pair of numbers");
        }
        ring.push_back({position[0].get<double>(), position[1].get<double>()});
    }
    return ring;
}

/// Refuses pixels beside the image, but for rounding at its border.
void requireInside(MapRing& ring) {
    constexpr double kSlack = 0.01; // px
    for (MapPoint& pixel : ring) {
        pixel.x = pixel.x < 0 && pixel.x > -kSlack ? 0 : pixel.x;
        pixel.y = pixel.y < 0 && pixel.y > -kSlack ? 0 : pixel.y;
        if (!(pixel.x >= 0 && pixel.y >= 0)) {
            throw Error(ErrorCode::fileDamaged, "contour: a place lies beside the picture");
        }
    }
}

/// Converts longitudes and latitudes along a ring to pixels of the image.
void toPixels(MapRing& ring, const MapCoordinates& map) {
    for (const MapPoint& place : ring) {
        if (!(std::abs(place.x) <= 180 && std::abs(place.y) <= 90)) {
            throw Error(ErrorCode::invalidArgument, "contour: a coordinate is neither longitude nor latitude");
        }
    }
    map.toPixels(ring);
    requireInside(ring);
}

/// Reverses a ring from the map if needed, as writeContourGeojson() does.
void turnClockwise(MapRing& ring) {
    double doubleArea = 0; // in px: positive if clockwise on the screen
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const MapPoint& a = ring[i];
        const MapPoint& b = ring[(i + 1) % ring.size()];
        doubleArea += a.x * b.y - b.x * a.y;
    }
    if (doubleArea < 0) {
        std::reverse(ring.begin() + 1, ring.end());
    }
}

Contour contourOf(const MapRing& ring) {
    Contour contour;
    for (const MapPoint& position : ring) {
        const ContourNode node{nodeCoordinate(position.x), nodeCoordinate(position.y)};
        if (contour.empty() || contour.back() != node) {
            contour.push_back(node);
        }
    }
    while (contour.size() > 1 && contour.back() == contour.front()) {
        contour.pop_back();
    }
    return contour;
}

void addGeometry(const Json& geometry, std::vector<MapRing>& rings) {
    if (hasType(geometry, "MultiPolygon")) {
        for (const Json& polygon : elementsOf(geometry, "coordinates")) {
            if (!polygon.is_array() || polygon.empty()) {
                refuse("a polygon has no ring");
            }
            rings.push_back(ringIn(polygon.front()));
        }
    } else if (hasType(geometry, "Polygon")) {
        if (const auto found = elementsOf(geometry, "coordinates"); !found.empty()) {
            rings.push_back(ringIn(found.front()));
        }
    }
}

void addFeature(const Json& feature, std::vector<MapRing>& rings) {
    if (const Json* geometry = memberOf(feature, "geometry"); geometry != nullptr && hasType(feature, "Feature")) {
        addGeometry(*geometry, rings);
    }
}

std::string textOf(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        throw Error(ErrorCode::fileNotFound, "there is no such file");
    }
    std::ifstream file(path, std::ios::binary);
    std::string text(std::min<std::uintmax_t>(std::filesystem::is_regular_file(path, ignored)
                                                  ? std::filesystem::file_size(path, ignored)
                                                  : 0,
                                              kMaxFileBytes + 1),
                     '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || text.empty() || file.gcount() != static_cast<std::streamsize>(text.size())) {
        throw Error(ErrorCode::fileUnreadable, "it is empty or cannot be read");
    }
    if (text.size() > kMaxFileBytes) {
        throw Error(ErrorCode::limitExceeded, "more than 64 MiB is no contour");
    }
    return text;
}

} // namespace

FiledRings filedRingsIn(std::string_view geojson, GeoJsonIn unmarked) {
    Json json;
    static_cast<void>(jsonWeight(geojson, "contour", kLimits));
    try {
        json = Json::parse(geojson);
    } catch (const Json::exception&) {
        refuse("it is no JSON");
    }
    FiledRings filed;
    filed.positions = unmarked;
    if (const Json* mark = memberOf(json, std::string(kPositionsMember).c_str())) {
        if (*mark != kLonLatPositions) {
            refuse("its coordinates are of a kind that is not known");
        }
        filed.positions = GeoJsonIn::degrees;
    }
    addGeometry(json, filed.rings);
    addFeature(json, filed.rings);
    if (hasType(json, "GeometryCollection")) {
        for (const Json& geometry : elementsOf(json, "geometries")) {
            addGeometry(geometry, filed.rings);
        }
    } else if (hasType(json, "FeatureCollection")) {
        for (const Json& feature : elementsOf(json, "features")) {
            addFeature(feature, filed.rings);
        }
    }
    if (filed.rings.empty()) {
        refuse("there is no polygon");
    }
    return filed;
}

std::vector<Contour> contoursOf(const FiledRings& filed, const MapCoordinates* map) {
    const bool inDegrees = filed.positions == GeoJsonIn::degrees;
    if (inDegrees && map == nullptr) {
        throw Error(ErrorCode::invalidArgument,
                    "contour: it is in longitude and latitude, and the picture has no map coordinates");
    }
    std::vector<Contour> contours;
    for (MapRing ring : filed.rings) {
        if (inDegrees) {
            toPixels(ring, *map);
            turnClockwise(ring);
        }
        contours.push_back(contourOf(ring));
    }
    return contours;
}

std::vector<Contour> contoursOf(FiledRings filed, const std::vector<CopiedTag>& tags, std::uint32_t width,
                                std::uint32_t height) {
    toPixels(filed.rings, filed.system.value_or(""), tags, width, height);
    std::vector<Contour> contours;
    for (MapRing& ring : filed.rings) {
        requireInside(ring);
        turnClockwise(ring);
        contours.push_back(contourOf(ring));
    }
    return contours;
}

std::vector<Contour> contoursIn(std::string_view geojson) { return contoursOf(filedRingsIn(geojson), nullptr); }

FiledRings readFiledRings(const std::filesystem::path& path, GeoJsonIn unmarked, const std::string& layer,
                          const JobControl& control) {
    if (namesVectorFile(path)) {
        VectorPolygons vector = readVectorPolygons(path, layer, control);
        FiledRings filed;
        for (MapPolygon& polygon : vector.polygons) {
            filed.rings.push_back(std::move(polygon.front()));
        }
        filed.system = std::move(vector.system);
        return filed;
    }
    try {
        if (!layer.empty()) {
            throw Error(ErrorCode::invalidArgument, "GeoJSON has no layer '" + layer + "'");
        }
        return filedRingsIn(textOf(path), unmarked);
    } catch (const Error& error) {
        throw Error(error.code(), "read the contour: " + path.string() + ": " + error.what());
    }
}

std::vector<Contour> readContours(const std::filesystem::path& path) {
    try {
        return contoursIn(textOf(path));
    } catch (const Error& error) {
        throw Error(error.code(), "read the contour: " + path.string() + ": " + error.what());
    }
}

} // namespace pollard
