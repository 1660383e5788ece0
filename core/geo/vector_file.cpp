#include "geo/vector_file.hpp"

#include "base/error.hpp"

#include <array>
#include <string_view>
#include <utility>

#ifdef POLLARD_WITH_GDAL
#include "geo/geojson_positions.hpp"
#include "io/gdal/gdal_handles.hpp"
#include "io/gdal/gdal_scope.hpp"

#include <charconv>
#include <cmath>
#include <cpl_conv.h>
#include <cstddef>
#include <gdal_priv.h>
#include <memory>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <type_traits>
#endif

namespace pollard {

namespace {

/// Extensions and names of GDAL's drivers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kFormats{
    {{".gpkg", "GPKG"}, {".shp", "ESRI Shapefile"}, {".fgb", "FlatGeobuf"}}};

/// Empty for other files.
std::string_view driverOf(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    for (const auto& [known, driver] : kFormats) {
        if (extension == known) {
            return driver;
        }
    }
    return {};
}

} // namespace

bool isVectorFile(const std::filesystem::path& path) { return !driverOf(path).empty(); }

#ifdef POLLARD_WITH_GDAL

namespace {

constexpr std::size_t kMostPositions = 2'000'000;

template <auto Release> struct Releaser {
    template <class T> void operator()(T* handle) const noexcept { Release(handle); }
};
template <class Handle, auto Release> using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<Release>>;
using System = Owned<OGRSpatialReferenceH, OSRRelease>;
using Transformation = Owned<OGRCoordinateTransformationH, OCTDestroyCoordinateTransformation>;
using Feature = Owned<OGRFeatureH, OGR_F_Destroy>;
using Geometry = Owned<OGRGeometryH, OGR_G_DestroyGeometry>;

bool hasArea(OGRGeometryH geometry) {
    const OGRwkbGeometryType type = OGR_GT_Flatten(OGR_G_GetGeometryType(geometry));
    return type == wkbPolygon || type == wkbMultiPolygon || type == wkbCurvePolygon || type == wkbMultiSurface;
}

/// Null if the positions of a layer are px: it has no system, or that which GeoPackages have in place of one.
Transformation toDegrees(OGRLayerH layer, const GdalScope& scope) {
    OGRSpatialReferenceH from = OGR_L_GetSpatialRef(layer);
    const char* const name = from != nullptr ? OSRGetName(from) : nullptr;
    if (from == nullptr || OSRIsLocal(from) != 0 ||
        (name != nullptr && std::string_view(name).starts_with("Undefined "))) {
        return nullptr;
    }
    OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
    const System degrees(OSRNewSpatialReference(nullptr));
    OSRSetWellKnownGeogCS(degrees.get(), "WGS84");
    OSRSetAxisMappingStrategy(degrees.get(), OAMS_TRADITIONAL_GIS_ORDER);
    Transformation transformation(OCTNewCoordinateTransformation(from, degrees.get()));
    if (!transformation) {
        throw Error(ErrorCode::fileDamaged, scope.reason("its coordinate system is not known"));
    }
    return transformation;
}

/// GeoJSON of polygons, as it grows.
class PolygonText {
public:
    explicit PolygonText(const GdalScope& scope) : scope_(scope) {}

    /// Adds the polygons of a layer.
    void add(OGRLayerH layer) {
        const Transformation transformation = toDegrees(layer, scope_);
        isInDegrees_ = transformation != nullptr;
        OGR_L_ResetReading(layer);
        while (const Feature feature{OGR_L_GetNextFeature(layer)}) {
            OGRGeometryH stored = OGR_F_GetGeometryRef(feature.get());
            if (stored == nullptr || !hasArea(stored) || OGR_G_IsEmpty(stored) != 0) {
                continue;
            }
            const Geometry polygons(OGR_G_ForceToMultiPolygon(OGR_G_GetLinearGeometry(stored, 0, nullptr)));
            if (!polygons || (transformation && OGR_G_Transform(polygons.get(), transformation.get()) != OGRERR_NONE)) {
                throw Error(ErrorCode::fileDamaged, scope_.reason("positions that are not in its coordinate system"));
            }
            addFeature(polygons.get());
        }
        scope_.requireAdmitted();
        if (scope_.hasFailed()) { // features end at an error, too
            throw Error(ErrorCode::fileDamaged, scope_.reason({}));
        }
    }

    [[nodiscard]] bool isEmpty() const noexcept { return features_.empty(); }
    [[nodiscard]] std::string text() const {
        std::string text = R"({"type":"FeatureCollection",)";
        if (isInDegrees_) {
            text += '"' + std::string(kPositionsMember) + R"(":")" + std::string(kLonLatPositions) + R"(",)";
        }
        return text + R"("features":[)" + features_ + "]}";
    }

private:
    void addFeature(OGRGeometryH polygons) {
        features_ += isEmpty() ? "" : ",";
        features_ += R"({"type":"Feature","properties":{},"geometry":{"type":"MultiPolygon","coordinates":[)";
        addList(polygons, [this](OGRGeometryH polygon) {
            features_ += '[';
            addList(polygon, [this](OGRGeometryH ring) { addRing(ring); });
            features_ += ']';
        });
        features_ += "]}}";
    }

    /// Calls add(part) for the parts of a geometry, and separates their texts.
    template <class Add> void addList(OGRGeometryH geometry, const Add& add) {
        for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
            features_ += i > 0 ? "," : "";
            add(OGR_G_GetGeometryRef(geometry, i));
        }
    }

    void addRing(OGRGeometryH ring) {
        const int count = OGR_G_GetPointCount(ring);
        positions_ += static_cast<std::size_t>(count);
        if (positions_ > kMostPositions) {
            throw Error(ErrorCode::limitExceeded,
                        "more than the limit of " + std::to_string(kMostPositions) + " positions of polygons");
        }
        features_ += '[';
        for (int i = 0; i < count; ++i) {
            features_ += i > 0 ? ",[" : "[";
            addNumber(OGR_G_GetX(ring, i));
            features_ += ',';
            addNumber(OGR_G_GetY(ring, i));
            features_ += ']';
        }
        features_ += ']';
    }

    void addNumber(double number) {
        if (!std::isfinite(number)) {
            throw Error(ErrorCode::fileDamaged, "a position of a polygon is no pair of numbers");
        }
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
        features_.append(digits.data(), end.ptr);
    }

    const GdalScope& scope_;
    std::string features_;
    std::size_t positions_ = 0;
    bool isInDegrees_ = false;
};

} // namespace

std::string polygonsAsGeoJson(const std::filesystem::path& path) {
    GdalFolder folder(path);
    const GdalScope scope(folder);
    // Views of a data base must not call functions of GDAL, some of which ask servers.
    const CPLConfigOptionSetter guard("OGR_SQLITE_PRAGMA", "trusted_schema=0", false);
    auto* const driver = static_cast<GDALDriver*>(vectorDriver(driverOf(path)));
    if (driver == nullptr || driver->pfnOpen == nullptr) {
        throw Error(ErrorCode::formatUnsupported, "GDAL has no driver for this file");
    }
    GDALOpenInfo info(folder.file().c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY);
    const GdalHandle dataset(driver->pfnOpen(&info));
    scope.requireAdmitted();
    if (!dataset) {
        throw Error(ErrorCode::fileDamaged, scope.reason("GDAL cannot open the file"));
    }
    PolygonText polygons(scope);
    for (int i = 0; i < GDALDatasetGetLayerCount(dataset.get()) && polygons.isEmpty(); ++i) {
        polygons.add(GDALDatasetGetLayer(dataset.get(), i));
    }
    if (polygons.isEmpty()) {
        throw Error(ErrorCode::formatUnsupported, scope.reason("no layer has polygons"));
    }
    return polygons.text();
}

#else

std::string polygonsAsGeoJson(const std::filesystem::path& /*path*/) {
    throw Error(ErrorCode::formatUnsupported, "vector files are read by GDAL, and this build has none");
}

#endif

} // namespace pollard
