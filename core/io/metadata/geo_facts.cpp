#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/metadata/geo_tags.hpp"

#include <cmath>

namespace pollard {

namespace {

enum class Model { unknown, projected, geographic };

/// "WGS 84 / UTM zone 32N (EPSG:32632)" from the most specific name.
std::string coordinateSystem(const GeoKeys& keys, Model model) {
    const bool projected = model == Model::projected;
    std::string name = keys.text(projected ? kProjectedCitationKey : kGeodeticCitationKey);
    if (name.empty()) {
        name = keys.text(kCitationKey);
    }
    name = factText(name);
    const auto code = keys.number(projected ? kProjectedCrsKey : kGeodeticCrsKey);
    if (code && *code != 0 && *code != kUserDefinedKey) {
        const std::string epsg = "EPSG:" + std::to_string(*code);
        return name.empty() ? epsg : name + " (" + epsg + ")";
    }
    return name;
}

Model modelOf(const GeoKeys& keys) {
    constexpr std::uint16_t kProjected = 1;
    constexpr std::uint16_t kGeographic = 2;
    const auto type = keys.number(kModelTypeKey);
    return type == kProjected ? Model::projected : type == kGeographic ? Model::geographic : Model::unknown;
}

std::optional<PixelSize> pixelSizeOf(const GeoTransform& map, const GeoKeys& keys, Model model) {
    PixelSize size{std::hypot(map.x[1], map.y[1]), std::hypot(map.x[2], map.y[2]), "", "GeoTIFF", false};
    if (model == Model::geographic) {
        size.unit = "°";
    } else if (model == Model::projected) {
        // An EPSG code alone does not define the unit here; it is almost always the metre.
        const double metres = metresOf(keys.number(kProjLinearUnitsKey).value_or(9001));
        size.unit = "m";
        size.x *= metres;
        size.y *= metres;
    }
    const auto usable = [](double v) { return v > 0 && std::isfinite(v); };
    return !size.unit.empty() && usable(size.x) && usable(size.y) ? std::optional(size) : std::nullopt;
}

} // namespace

void describeGeoTags(ImageInfo& info) {
    const GeoKeys keys(info.carried);
    const Model model = modelOf(keys);
    if (const std::string system = coordinateSystem(keys, model); !system.empty()) {
        info.facts.emplace_back("Coordinate system", system);
    }
    if (const auto map = geoTransform(info.carried)) {
        const double first = keys.pixelIsPoint() ? -0.5 : 0.0;
        info.facts.emplace_back("Upper left corner", factNumber(map->x[0] + first * (map->x[1] + map->x[2])) + ", " +
                                                         factNumber(map->y[0] + first * (map->y[1] + map->y[2])));
        const bool rotated = map->x[2] != 0 || map->y[1] != 0;
        info.facts.emplace_back("Map units per pixel", factNumber(std::hypot(map->x[1], map->y[1])) + " x " +
                                                           factNumber(std::hypot(map->x[2], map->y[2])) +
                                                           (rotated ? ", rotated" : ""));
        if (!info.pixelSize) {
            if (auto size = pixelSizeOf(*map, keys, model)) {
                info.pixelSize = std::move(size);
            }
        }
    }
    if (const std::string noData = geoText(info.carried, kGdalNoDataTag); !noData.empty()) {
        info.facts.emplace_back("No-data value", factText(noData));
    }
}

} // namespace pollard
