#include "geo/vector_system.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#ifdef POLLARD_WITH_GDAL

#include "base/error.hpp"
#include "base/text.hpp"
#include "formats/gdal/gdal_handles.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "geo/map_system.hpp"

#include <cmath>
#include <ogr_srs_api.h>

#endif

namespace pollard {

const char* vectorDriverOf(const std::filesystem::path& path) {
    constexpr std::array<std::pair<const char*, const char*>, 4> kDrivers{
        {{".gpkg", "GPKG"}, {".shp", "ESRI Shapefile"}, {".fgb", "FlatGeobuf"}, {".csv", "CSV"}}};
    const std::string extension = lowered(path.extension().string());
    const auto found = std::ranges::find_if(kDrivers, [&](const auto& row) { return extension == row.first; });
    return found == kDrivers.end() ? nullptr : found->second;
}

GeoTransform cornerTransform(const std::vector<CopiedTag>& tags) {
    std::optional<GeoTransform> map = geoTransform(tags);
    if (!map) {
        return {{0, 1, 0}, {0, 0, 1}};
    }
    if (GeoKeys(tags).pixelIsPoint()) {
        map->x[0] -= (map->x[1] + map->x[2]) / 2;
        map->y[0] -= (map->y[1] + map->y[2]) / 2;
    }
    return *map;
}

#ifdef POLLARD_WITH_GDAL

namespace {

/// Tags may count in another unit than the system that they name.
void setUnit(OGRSpatialReferenceH system, double unit) {
    constexpr double kSame = 1e-9;
    const bool isProjected = OSRIsProjected(system) != 0;
    const double own = isProjected ? OSRGetLinearUnits(system, nullptr) : OSRGetAngularUnits(system, nullptr);
    if (unit <= 0 || std::abs(unit / own - 1) <= kSame) {
        return;
    }
    if (isProjected) {
        OSRSetLinearUnitsAndUpdateParameters(system, "unit", unit);
    } else {
        OSRSetAngularUnits(system, "unit", unit);
    }
}

} // namespace

std::string vectorSystemOf(const std::vector<CopiedTag>& tags) {
    if (!geoTransform(tags)) {
        return {};
    }
    prepareGdal();
    const GdalSystem system(OSRNewSpatialReference(nullptr));
    try {
        const MapSystem known = mapSystemOf(tags);
        if (OSRSetFromUserInput(system.get(), known.definition.c_str()) != OGRERR_NONE) {
            return {};
        }
        if (!known.projection.empty()) {
            const std::string text =
                "PROJCS[\"" + known.name + "\"," + gdalText(system.get(), "WKT1_GDAL") + ',' + known.projection + ']';
            if (OSRSetFromUserInput(system.get(), text.c_str()) != OGRERR_NONE) {
                return {};
            }
        }
        setUnit(system.get(), known.unit);
    } catch (const Error&) {
        return {};
    }
    return gdalText(system.get(), "WKT2_2019");
}

#else

std::string vectorSystemOf(const std::vector<CopiedTag>& /*tags*/) { return {}; }

#endif

} // namespace pollard
