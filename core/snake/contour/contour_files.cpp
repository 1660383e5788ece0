#include "snake/contour/contour_files.hpp"

#include "base/error.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/map_coordinates.hpp"
#include "geo/vector_layer.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/imagej_roi.hpp"
#include "io/write/text_file.hpp"
#include "json/json_members.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

namespace pollard {

namespace {

MapPolygon polygonOf(const Contour& contour) {
    MapPolygon polygon(1);
    for (const ContourNode& node : contour) {
        polygon.front().push_back({static_cast<double>(node.x), static_cast<double>(node.y)});
    }
    return polygon;
}

/// Writes the geometry and the end of the feature.
void writePolygon(TextFile& file, const Contour& contour, const MapCoordinates* map) {
    if (map != nullptr) {
        file << R"("geometry":)";
        writeGeometry(file, earthPolygons(*map, polygonOf(contour)), lonLatDecimals(*map));
        file << '}';
        return;
    }
    file << R"("geometry":{"type":"Polygon","coordinates":[[)";
    for (std::size_t i = 0; i <= contour.size() && !contour.empty(); ++i) {
        const ContourNode node = contour[i % contour.size()]; // GeoJSON repeats the first point
        file << (i > 0 ? ",[" : "[") << node.x << ',' << node.y << ']';
    }
    file << "]]}}";
}

std::string padded(std::uint64_t number, std::size_t digits) {
    std::string text = std::to_string(number);
    text.insert(0, digits - std::min(digits, text.size()), '0');
    return text;
}

RoiBytes roiOf(const Contour& contour) {
    if (contour.size() > RoiBytes::kMostCorners) {
        throw Error(ErrorCode::limitExceeded, "write regions: a contour of " + std::to_string(contour.size()) +
                                                  " nodes, and ImageJ's regions hold at most 65535");
    }
    if (std::ranges::any_of(contour, [](ContourNode node) {
            return std::max(node.x, node.y) > static_cast<std::int32_t>(RoiBytes::kMostCoordinate);
        })) {
        throw Error(ErrorCode::limitExceeded,
                    "write regions: a contour reaches beyond 32767 px, and ImageJ's regions cannot");
    }
    return ringRoi(RoiType::polygon, std::span(contour));
}

/// @param comma before the first one
void writeProperties(TextFile& file, const std::vector<ContourValue>& values, bool comma) {
    for (const ContourValue& each : values) {
        file << (comma ? ",\"" : "\"") << each.name << "\":";
        each.value ? file << *each.value : file << "null";
        comma = true;
    }
}

} // namespace

void writeContourGeojson(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                         const JobControl& control, const MapCoordinates* map) {
    TextFile file(path, "write contour");
    if (contours.size() == 1 && !contours.front().page) {
        file << R"({"type":"Feature",)" << positionsMark(map) << R"("properties":{)";
        writeProperties(file, contours.front().values, false);
        file << "},";
        writePolygon(file, contours.front().nodes, map);
    } else {
        file << R"({"type":"FeatureCollection",)" << positionsMark(map) << R"("features":[)";
        file.endLine(control);
        for (const LabelledContour& contour : contours) {
            file << R"({"type":"Feature","properties":{"label":)" << contour.label;
            if (contour.page) {
                file << R"(,")" << contour.axis << R"(":)" << *contour.page;
            }
            writeProperties(file, contour.values, true);
            file << "},";
            writePolygon(file, contour.nodes, map);
            file << (&contour == &contours.back() ? "" : ",");
            file.endLine(control);
        }
        file << "]}";
    }
    file.endLine(control);
    file.commit();
}

void writeContourVector(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                        const std::vector<CopiedTag>& tags, const JobControl& control) {
    AtomicFile file(path, "write contour");
    VectorLayer layer(file, path, "contours", tags);
    const bool hasPages = !contours.empty() && contours.front().page;
    layer.addField("label", VectorLayer::Type::integer);
    if (hasPages) {
        layer.addField(std::string(contours.front().axis), VectorLayer::Type::integer);
    }
    for (const ContourValue& each : contours.empty() ? std::vector<ContourValue>() : contours.front().values) {
        layer.addField(each.name, VectorLayer::Type::real);
    }
    for (const LabelledContour& contour : contours) {
        control.throwIfStopped();
        std::vector<VectorLayer::Value> values{std::int64_t{contour.label}};
        if (hasPages) {
            values.emplace_back(std::int64_t{contour.page.value_or(0)});
        }
        for (const ContourValue& each : contour.values) {
            each.value ? values.emplace_back(*each.value) : values.emplace_back();
        }
        const MapPolygon polygon = polygonOf(contour.nodes);
        layer.addFeature({&polygon, 1}, values);
    }
    layer.finish();
    file.commit();
}

void writeContourTable(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                       const JobControl& control) {
    TextFile file(path, "write table");
    const bool hasPages = !contours.empty() && contours.front().page;
    file << (hasPages ? "page,label,nodes" : "label,nodes");
    for (const ContourValue& each : contours.empty() ? std::vector<ContourValue>() : contours.front().values) {
        file << ',' << each.name;
    }
    file.endLine(control);
    for (const LabelledContour& contour : contours) {
        if (hasPages) {
            file << contour.page.value_or(0) << ',';
        }
        file << contour.label << ',' << contour.nodes.size();
        for (const ContourValue& each : contour.values) {
            file << ',';
            if (each.value) {
                file << *each.value;
            }
        }
        file.endLine(control);
    }
    file.commit();
}

void writeContourSvg(const std::filesystem::path& path, std::span<const LabelledContour> contours, std::uint32_t width,
                     std::uint32_t height, std::string_view title, const JobControl& control) {
    TextFile file(path, "write contour");
    file << R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" << width << R"(" height=")" << height
         << R"(" viewBox="0 0 )" << width << ' ' << height << R"(">)";
    file.endLine(control);
    if (!title.empty()) {
        file << "<title>" << xmlText(title) << "</title>";
        file.endLine(control);
    }
    for (const LabelledContour& contour : contours) {
        file << R"(<path fill="none" stroke="#e69f00" vector-effect="non-scaling-stroke" d=")";
        for (std::size_t i = 0; i < contour.nodes.size(); ++i) {
            file << (i == 0 ? "M" : "L") << contour.nodes[i].x << ',' << contour.nodes[i].y << ' ';
        }
        file << R"(Z"/>)";
        file.endLine(control);
    }
    file << "</svg>";
    file.endLine(control);
    file.commit();
}

bool namesRoiSet(const std::filesystem::path& path) { return path.extension() == ".zip"; }

void writeContourRois(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                      const JobControl& control) {
    if (!namesRoiSet(path)) {
        if (contours.size() != 1) {
            throw Error(ErrorCode::invalidArgument, "write regions: " + path.string() + ": " +
                                                        std::to_string(contours.size()) +
                                                        " contours need a set of regions, a name that ends in .zip");
        }
        const RoiBytes roi = roiOf(contours.front().nodes);
        AtomicFile file(path, "write regions");
        file.writeAll(roi.bytes().data(), roi.bytes().size());
        file.commit();
        return;
    }
    std::uint32_t mostLabel = 0;
    int lastPage = 0;
    for (const LabelledContour& contour : contours) {
        mostLabel = std::max(mostLabel, contour.label);
        lastPage = std::max(lastPage, contour.page.value_or(0));
    }
    StoredZip zip(path, "write regions");
    for (const LabelledContour& contour : contours) {
        control.throwIfStopped();
        std::string name = padded(contour.label, std::to_string(mostLabel).size());
        if (contour.page) {
            const std::size_t digits = std::to_string(lastPage).size();
            name.insert(0, padded(static_cast<std::uint64_t>(*contour.page), digits) + '-');
        }
        zip.add(name + ".roi", roiOf(contour.nodes).bytes());
    }
    zip.commit();
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;
constexpr JsonLimits kLimits{32, std::uint64_t{512} << 20U};
/// Larger than the side of any image.
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

/// Refuses positions outside the image, except for rounding errors at its border.
void requireInside(MapRing& ring) {
    constexpr double kSlack = 0.01; // px
    for (MapPoint& pixel : ring) {
        pixel.x = pixel.x < 0 && pixel.x > -kSlack ? 0 : pixel.x;
        pixel.y = pixel.y < 0 && pixel.y > -kSlack ? 0 : pixel.y;
        if (!(pixel.x >= 0 && pixel.y >= 0)) {
            throw Error(ErrorCode::fileDamaged, "contour: a place lies beside the image");
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

FileRings parseRings(std::string_view geojson, GeoJsonIn unmarked) {
    Json json;
    static_cast<void>(jsonWeight(geojson, "contour", kLimits));
    try {
        json = Json::parse(geojson);
    } catch (const Json::exception&) {
        refuse("it is no JSON");
    }
    FileRings filed;
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

std::vector<Contour> contoursOf(const FileRings& filed, const MapCoordinates* map) {
    const bool inDegrees = filed.positions == GeoJsonIn::degrees;
    if (inDegrees && map == nullptr) {
        throw Error(ErrorCode::invalidArgument,
                    "contour: it is in longitude and latitude, and the image has no map coordinates");
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

std::vector<Contour> contoursOf(FileRings filed, const std::vector<CopiedTag>& tags, std::uint32_t width,
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

std::vector<Contour> contoursIn(std::string_view geojson) { return contoursOf(parseRings(geojson), nullptr); }

FileRings readRings(const std::filesystem::path& path, GeoJsonIn unmarked, const std::string& layer,
                    const JobControl& control) {
    if (namesVectorFile(path)) {
        VectorPolygons vector = readVectorPolygons(path, layer, control);
        FileRings filed;
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
        return parseRings(textOf(path), unmarked);
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
