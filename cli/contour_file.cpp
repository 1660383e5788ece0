#include "contour_file.hpp"

#include "command.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <vector>

namespace pollard::cli {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20U;
/// No image is larger.
constexpr double kMostPixels = 2147483647;

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

/// The outer ring of the first polygon; null if there is none.
const Json* ringIn(const Json& json) {
    if (hasType(json, "FeatureCollection")) {
        const Json* features = memberOf(json, "features");
        for (std::size_t i = 0; features != nullptr && features->is_array() && i < features->size(); ++i) {
            if (const Json* ring = ringIn((*features)[i])) {
                return ring;
            }
        }
        return nullptr;
    }
    if (hasType(json, "Feature")) {
        const Json* geometry = memberOf(json, "geometry");
        return geometry == nullptr || hasType(*geometry, "Feature") || hasType(*geometry, "FeatureCollection")
                   ? nullptr
                   : ringIn(*geometry);
    }
    const Json* rings = memberOf(json, "coordinates");
    if (rings == nullptr || !rings->is_array() || rings->empty()) {
        return nullptr;
    }
    if (hasType(json, "MultiPolygon")) {
        const Json& first = rings->front();
        return first.is_array() && !first.empty() ? &first.front() : nullptr;
    }
    return hasType(json, "Polygon") ? &rings->front() : nullptr;
}

std::int32_t coordinateIn(const Json& json) {
    const double value = json.is_number() ? json.get<double>() : -1;
    if (!(value >= 0 && value <= kMostPixels)) {
        refuse("a coordinate is no number of pixels from 0 on");
    }
    return static_cast<std::int32_t>(std::lround(value));
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

/// Four whole numbers with commas between them; nothing if the text is something else.
std::optional<std::array<std::int32_t, 4>> fourNumbers(std::string_view text) {
    std::array<std::int32_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t end = i + 1 < numbers.size() ? text.find(',') : text.size();
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        const auto [last, problem] = std::from_chars(text.data(), text.data() + end, numbers[i]);
        if (problem != std::errc{} || last != text.data() + end) {
            return std::nullopt;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

} // namespace

Contour contourIn(std::string_view geojson) {
    Json json;
    try {
        json = Json::parse(geojson);
    } catch (const Json::exception&) {
        refuse("it is no JSON");
    }
    const Json* ring = ringIn(json);
    if (ring == nullptr || !ring->is_array()) {
        refuse("there is no polygon");
    }
    Contour contour;
    for (const Json& position : *ring) {
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

Contour parseContour(const std::string& text) {
    if (const auto numbers = fourNumbers(text)) {
        const auto [x, y, width, height] = *numbers;
        const auto fits = [](std::int32_t start, std::int32_t length) {
            return start >= 0 && length > 0 && start <= std::numeric_limits<std::int32_t>::max() - length;
        };
        if (!fits(x, width) || !fits(y, height)) {
            throw UsageError("--init: '" + text + "': must be x,y,width,height in px, or a GeoJSON file");
        }
        return {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    }
    try {
        return contourIn(textOf(text));
    } catch (const Error& error) {
        throw Error(error.code(), "read the contour: " + text + ": " + error.what());
    }
}

std::string geojsonOf(const Contour& contour) {
    std::string text = R"({"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[)";
    for (std::size_t i = 0; i <= contour.size() && !contour.empty(); ++i) {
        const ContourNode node = contour[i % contour.size()]; // the first again, as GeoJSON wants it
        text += (i > 0 ? ",[" : "[") + std::to_string(node.x) + ',' + std::to_string(node.y) + ']';
    }
    return text + "]]}}";
}

} // namespace pollard::cli
