#include "geo/map_system.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#ifdef POLLARD_WITH_GDAL
#include "formats/gdal/gdal_scope.hpp"
#include <cmath>
#include <ogr_srs_api.h>
#endif

namespace pollard {

namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Parameters of projections. Writers use different keys for the same parameter.
using Keys = std::initializer_list<std::uint16_t>;
constexpr std::uint16_t kFirstParallelKey = 3078;
constexpr std::uint16_t kSecondParallelKey = 3079;
constexpr std::array<std::uint16_t, 4> kLongitudeKeys{3080, 3084, 3088, 3095};
constexpr std::array<std::uint16_t, 3> kLatitudeKeys{3081, 3085, 3089};
constexpr std::array<std::uint16_t, 3> kEastingKeys{3082, 3086, 3090};
constexpr std::array<std::uint16_t, 3> kNorthingKeys{3083, 3087, 3091};
constexpr std::array<std::uint16_t, 2> kScaleKeys{3092, 3093};

std::string parameter(std::string_view name, double value) {
    return "PARAMETER[\"" + std::string(name) + "\"," + exactNumber(value) + "],";
}

/// EPSG code; 0 if there is none.
std::uint16_t codeOf(const GeoKeys& keys, std::uint16_t key) {
    const std::uint16_t code = keys.number(key).value_or(0);
    return code == kUserDefinedKey ? std::uint16_t{0} : code;
}

class KeyReader {
public:
    explicit KeyReader(const std::vector<CopiedTag>& tags) : keys_(tags) {
        for (const std::uint16_t key : {kProjectedCitationKey, kCitationKey, kGeodeticCitationKey}) {
            if (system_.name = factText(keys_.text(key)); !system_.name.empty()) {
                break;
            }
        }
    }

    [[nodiscard]] MapSystem read() {
        constexpr std::uint16_t kProjected = 1;
        constexpr std::uint16_t kGeographic = 2;
        const bool describesProjection = keys_.number(kProjectedCrsKey) || keys_.number(kProjMethodKey);
        const std::uint16_t otherwise = describesProjection ? kProjected : kGeographic;
        const std::uint16_t type = keys_.number(kModelTypeKey).value_or(otherwise);
        if (std::string esri = keys_.esriText(); !esri.empty() && codeOf(keys_, kProjectedCrsKey) == 0) {
            system_.definition = std::move(esri);
        } else if (type == kProjected) {
            readProjected();
        } else if (type == kGeographic) {
            readGeographic();
            system_.unit = angularUnit();
        } else {
            fail("it is neither projected nor geographic");
        }
        return std::move(system_);
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw Error(ErrorCode::formatUnsupported,
                    "the coordinate system is not known: " + (system_.name.empty() ? "" : system_.name + ": ") + why);
    }

    template <class Known> [[nodiscard]] double realOf(const Known& keys, double otherwise) const {
        for (const std::uint16_t key : keys) {
            if (const auto value = keys_.real(key)) {
                return *value;
            }
        }
        return otherwise;
    }
    [[nodiscard]] double needed(std::uint16_t key, const char* missing) const {
        const auto value = keys_.real(key);
        if (!value) {
            fail(std::string("its keys give no ") + missing);
        }
        return *value;
    }

    /// Radians; 0 if no key defines it.
    [[nodiscard]] double angularUnit() const {
        switch (codeOf(keys_, kAngularUnitsKey)) {
        case 9101:
            return 1;
        case 9102:
        case 9122:
            return kDegree;
        case 9105:
        case 9106:
            return std::numbers::pi / 200;
        default:
            return 0;
        }
    }
    /// Metres; 0 if no key defines it.
    [[nodiscard]] double linearUnit() const {
        const auto unit = keys_.number(kProjLinearUnitsKey);
        if (unit == kUserDefinedKey) {
            const double metres = keys_.real(kProjLinearUnitSizeKey).value_or(0);
            return metres > 0 ? metres : 0;
        }
        return unit ? metresOf(*unit) : 0;
    }

    void readGeographic() {
        if (const std::uint16_t code = codeOf(keys_, kGeodeticCrsKey); code != 0) {
            system_.definition = "EPSG:" + std::to_string(code);
            return;
        }
        struct Datum {
            std::uint16_t code;
            const char* system;
        };
        constexpr std::array<Datum, 4> kDatums{
            {{6326, "EPSG:4326"}, {6258, "EPSG:4258"}, {6269, "EPSG:4269"}, {6267, "EPSG:4267"}}};
        const std::uint16_t datum = codeOf(keys_, kGeodeticDatumKey);
        const auto known = std::ranges::find(kDatums, datum, &Datum::code);
        if (known != kDatums.end()) {
            system_.definition = known->system;
            return;
        }
        constexpr std::uint16_t kGreenwich = 8901;
        if (keys_.number(kPrimeMeridianKey).value_or(kGreenwich) != kGreenwich) {
            fail("its prime meridian is not Greenwich");
        }
        const auto [axis, flattening] = ellipsoid();
        system_.definition = R"(GEOGCS["unnamed",DATUM["unnamed",SPHEROID["unnamed",)" + exactNumber(axis) + ',' +
                             exactNumber(flattening) + R"(]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]])";
    }

    struct Ellipsoid {
        double axis = 0;       ///< m
        double flattening = 0; ///< inverse; 0 for a sphere
    };
    [[nodiscard]] Ellipsoid ellipsoid() const {
        struct Known {
            std::uint16_t code;
            Ellipsoid ellipsoid;
        };
        constexpr std::array<Known, 5> kKnown{{{7030, {6378137, 298.257223563}},
                                               {7019, {6378137, 298.257222101}},
                                               {7004, {6377397.155, 299.1528128}},
                                               {7008, {6378206.4, 294.978698213898}},
                                               {7022, {6378388, 297}}}};
        const std::uint16_t code = codeOf(keys_, kEllipsoidKey);
        const auto known = std::ranges::find(kKnown, code, &Known::code);
        if (known != kKnown.end()) {
            return known->ellipsoid;
        }
        Ellipsoid found{needed(kSemiMajorAxisKey, "ellipsoid"), keys_.real(kInverseFlatteningKey).value_or(0)};
        const double minor = keys_.real(kSemiMinorAxisKey).value_or(found.axis);
        if (found.flattening == 0 && minor != found.axis) {
            found.flattening = found.axis / (found.axis - minor);
        }
        if (!(found.axis > 0) || !(found.flattening == 0 || found.flattening > 1)) {
            fail("its ellipsoid has impossible axes");
        }
        return found;
    }

    void readProjected() {
        system_.unit = linearUnit();
        if (const std::uint16_t code = codeOf(keys_, kProjectedCrsKey); code != 0) {
            system_.definition = "EPSG:" + std::to_string(code);
            return;
        }
        const double metres = system_.unit > 0 ? system_.unit : 1;
        system_.projection =
            projection(metres) + "UNIT[\"" + (metres == 1 ? "metre" : "unit") + "\"," + exactNumber(metres) + ']';
        readGeographic();
    }

    [[nodiscard]] std::string projection(double metres) const {
        if (std::string zone = zoneOf(codeOf(keys_, kProjectionKey), metres); !zone.empty()) {
            return zone;
        }
        const std::string first = parameter("standard_parallel_1", realOf(Keys{kFirstParallelKey}, 0));
        const std::string second = parameter("standard_parallel_2", realOf(Keys{kSecondParallelKey}, 0));
        const double longitude = realOf(kLongitudeKeys, 0);
        const double latitude = realOf(kLatitudeKeys, 0);
        const std::string origin = parameter("latitude_of_origin", latitude) + parameter("central_meridian", longitude);
        const std::string centre =
            parameter("latitude_of_center", latitude) + parameter("longitude_of_center", longitude);
        const std::string scale = parameter("scale_factor", realOf(kScaleKeys, 1));
        const std::string shift =
            parameter("false_easting", realOf(kEastingKeys, 0)) + parameter("false_northing", realOf(kNorthingKeys, 0));
        const auto named = [&](const char* name, const std::string& parameters) {
            return "PROJECTION[\"" + std::string(name) + "\"]," + parameters + shift;
        };
        switch (codeOf(keys_, kProjMethodKey)) {
        case 1:
            return named("Transverse_Mercator", origin + scale);
        case 7:
            return keys_.real(kFirstParallelKey) ? named("Mercator_2SP", first + origin)
                                                 : named("Mercator_1SP", origin + scale);
        case 8:
            return named("Lambert_Conformal_Conic_2SP", first + second + origin);
        case 9:
            return named("Lambert_Conformal_Conic_1SP", origin + scale);
        case 10:
            return named("Lambert_Azimuthal_Equal_Area", centre);
        case 11:
            return named("Albers_Conic_Equal_Area", first + second + centre);
        case 15:
            return named("Polar_Stereographic", origin + scale);
        case 17:
            return named("Equirectangular", first + origin);
        case 28:
            return named("Cylindrical_Equal_Area", first + parameter("central_meridian", longitude));
        case 24:
            return named("Sinusoidal", parameter("longitude_of_center", longitude));
        default:
            fail("its projection is none of those that are read");
        }
    }

    /// Zone of the universal transverse Mercator projection; empty if the code is not one.
    [[nodiscard]] static std::string zoneOf(std::uint16_t code, double metres) {
        constexpr int kZones = 60;
        const bool south = code > 16100;
        const int zone = code - (south ? 16100 : 16000);
        if (zone < 1 || zone > kZones) {
            return {};
        }
        return R"(PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],)" +
               parameter("central_meridian", 6 * zone - 183) + parameter("scale_factor", 0.9996) +
               parameter("false_easting", 500000 / metres) + parameter("false_northing", south ? 10000000 / metres : 0);
    }

    GeoKeys keys_;
    MapSystem system_;
};

} // namespace

MapSystem mapSystemOf(const std::vector<CopiedTag>& tags) { return KeyReader(tags).read(); }

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
