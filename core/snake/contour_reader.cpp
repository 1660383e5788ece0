#include "base/error.hpp"
#include "snake/contour_files.hpp"
#include "json/json_weight.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;
constexpr JsonLimits kLimits{32, std::uint64_t{512} << 20U};
/// No image is larger.
constexpr double kMostPixels = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::fileDamaged, "contour: " + why); }

/// The member of an object, or null.
const Json* memberOf(const Json& json, const char* name) {
    if (!json.is_object()) {
        return nullptr;
    }
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
}

bool hasType(const Json& json, const char* name) {
    const Json* type = memberOf(json, "type");
    return type != nullptr && *type == name;
}

/// The elements of a member that is an array, else none.
std::span<const Json> elementsOf(const Json& json, const char* name) {
    const Json* array = memberOf(json, name);
    return array != nullptr && array->is_array() ? std::span(array->get_ref<const Json::array_t&>())
                                                 : std::span<const Json>{};
}

std::int32_t coordinateIn(const Json& json) {
    const double value = json.is_number() ? json.get<double>() : -1;
    if (!(value >= 0 && value <= kMostPixels)) {
        refuse("a coordinate is no number of pixels from 0 on");
    }
    return static_cast<std::int32_t>(std::lround(value));
}

Contour contourOf(const Json& ring) {
    if (!ring.is_array()) {
        refuse("a polygon has no ring");
    }
    Contour contour;
    for (const Json& position : ring) {
        if (!position.is_array() || position.size() < 2) {
            refuse("a position is no pair of numbers");
        }
        const ContourNode node{coordinateIn(position[0]), coordinateIn(position[1])};
        if (contour.empty() || contour.back() != node) {
            contour.push_back(node);
        }
    }
    while (contour.size() > 1 && contour.back() == contour.front()) {
        contour.pop_back();
    }
    return contour;
}

void addGeometry(const Json& geometry, std::vector<Contour>& contours) {
    if (hasType(geometry, "MultiPolygon")) {
        for (const Json& polygon : elementsOf(geometry, "coordinates")) {
            if (!polygon.is_array() || polygon.empty()) {
                refuse("a polygon has no ring");
            }
            contours.push_back(contourOf(polygon.front()));
        }
    } else if (hasType(geometry, "Polygon")) {
        if (const auto rings = elementsOf(geometry, "coordinates"); !rings.empty()) {
            contours.push_back(contourOf(rings.front()));
        }
    }
}

void addFeature(const Json& feature, std::vector<Contour>& contours) {
    if (const Json* geometry = memberOf(feature, "geometry"); geometry != nullptr && hasType(feature, "Feature")) {
        addGeometry(*geometry, contours);
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

std::vector<Contour> contoursIn(std::string_view geojson) {
    Json json;
    static_cast<void>(jsonWeight(geojson, "contour", kLimits));
    try {
        json = Json::parse(geojson);
    } catch (const Json::exception&) {
        refuse("it is no JSON");
    }
    std::vector<Contour> contours;
    addGeometry(json, contours);
    addFeature(json, contours);
    if (hasType(json, "GeometryCollection")) {
        for (const Json& geometry : elementsOf(json, "geometries")) {
            addGeometry(geometry, contours);
        }
    } else if (hasType(json, "FeatureCollection")) {
        for (const Json& feature : elementsOf(json, "features")) {
            addFeature(feature, contours);
        }
    }
    if (contours.empty()) {
        refuse("there is no polygon");
    }
    return contours;
}

std::vector<Contour> readContours(const std::filesystem::path& path) {
    try {
        return contoursIn(textOf(path));
    } catch (const Error& error) {
        throw Error(error.code(), "read the contour: " + path.string() + ": " + error.what());
    }
}

} // namespace pollard
