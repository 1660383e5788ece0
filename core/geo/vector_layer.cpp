#include "geo/vector_layer.hpp"

#include "base/error.hpp"
#include "geo/map_system.hpp"

#ifdef POLLARD_WITH_GDAL
#include "formats/gdal/gdal_folder.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "io/write/atomic_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cstddef>
#include <gdal.h>
#include <numbers>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <string_view>
#include <type_traits>
#include <utility>
#endif

namespace pollard {

#ifdef POLLARD_WITH_GDAL

namespace {

OGRGeometryH geometryOf(std::span<const MapPolygon> parts, const GeoTransform& map) {
    OGRGeometryH all = OGR_G_CreateGeometry(wkbMultiPolygon);
    for (const MapPolygon& rings : parts) {
        OGRGeometryH polygon = OGR_G_CreateGeometry(wkbPolygon);
        for (const MapRing& ring : rings) {
            OGRGeometryH line = OGR_G_CreateGeometry(wkbLinearRing);
            const auto add = [&](const MapPoint& point) {
                OGR_G_AddPoint_2D(line, map.x[0] + map.x[1] * point.x + map.x[2] * point.y,
                                  map.y[0] + map.y[1] * point.x + map.y[2] * point.y);
            };
            for (const MapPoint& point : ring) {
                add(point);
            }
            add(ring.front()); // rings of simple features are closed
            OGR_G_AddGeometryDirectly(polygon, line);
        }
        OGR_G_AddGeometryDirectly(all, polygon);
    }
    return all;
}

struct SetField {
    OGRFeatureH feature;
    int field;

    void operator()(std::monostate /*null*/) const {}
    void operator()(std::int64_t value) const { OGR_F_SetFieldInteger64(feature, field, value); }
    void operator()(double value) const {
        if (std::isfinite(value)) {
            OGR_F_SetFieldDouble(feature, field, value);
        }
    }
    void operator()(const std::string& value) const { OGR_F_SetFieldString(feature, field, value.c_str()); }
};

/// Without a map, GDAL and QGIS place the rows of an image at negative y.
GeoTransform layerTransform(const std::vector<CopiedTag>& tags) {
    return geoTransform(tags) ? cornerTransform(tags) : GeoTransform{{0, 1, 0}, {0, 0, -1}};
}

constexpr std::array<std::string_view, 3> kWritten{".gpkg", ".fgb", ".csv"};

} // namespace

struct VectorLayer::State {
    AtomicFile& file;
    const char* driver; ///< from vectorDriverOf(); writes a single file
    GeoTransform map;
    GdalMemoryFile memory;
    GdalHandle dataset;
    OGRLayerH layer = nullptr;
    bool hasTransaction = false;

    State(AtomicFile& target, const char* known, const std::string& extension, const std::vector<CopiedTag>& tags)
        : file(target), driver(known), map(layerTransform(tags)), memory(extension) {}

    void require(bool done) const {
        if (!done) {
            const std::string why = factText(CPLGetLastErrorMsg());
            file.fail(why.empty() ? "GDAL cannot write the layer" : why);
        }
    }
    void open(const std::string& name, const std::vector<CopiedTag>& tags) {
        CPLErrorReset();
        GDALDriverH writer = GDALGetDriverByName(driver);
        if (writer == nullptr) {
            file.fail(std::string("GDAL without its driver ") + driver);
        }
        dataset.reset(GDALCreate(writer, memory.name(), 0, 0, 0, GDT_Unknown, nullptr));
        const GdalSystem system = gdalSystem(vectorSystemOf(tags));
        std::array<const char*, 2> options{EQUAL(driver, "CSV") ? "GEOMETRY=AS_WKT" : nullptr, nullptr};
        layer = dataset ? GDALDatasetCreateLayer(dataset.get(), name.c_str(), system.get(), wkbMultiPolygon,
                                                 const_cast<char**>(options.data()))
                        : nullptr;
        require(layer != nullptr);
        hasTransaction = GDALDatasetTestCapability(dataset.get(), ODsCTransactions) != 0;
        require(!hasTransaction || GDALDatasetStartTransaction(dataset.get(), FALSE) == OGRERR_NONE);
    }
};

bool writesVectorFiles() noexcept { return true; }

void requireVectorName(const std::filesystem::path& path) {
    if (const char* driver = vectorDriverOf(path); driver != nullptr && EQUAL(driver, "ESRI Shapefile")) {
        throw Error(ErrorCode::writeFailed,
                    "write vector file: " + path.string() +
                        ": a shapefile is several files; write .gpkg, .fgb or .csv, and convert it with ogr2ogr");
    }
    if (const std::string problem = endingProblem(path, kWritten); !problem.empty()) {
        throw Error(ErrorCode::writeFailed, "write vector file: " + problem);
    }
}

VectorLayer::VectorLayer(AtomicFile& file, const std::filesystem::path& path, const std::string& name,
                         const std::vector<CopiedTag>& tags) {
    requireVectorName(path);
    prepareGdal();
    const char* const known = vectorDriverOf(path);
    state_ = std::make_unique<State>(file, known != nullptr ? known : "GPKG",
                                     known != nullptr ? path.extension().string() : ".gpkg", tags);
    state_->open(name, tags);
}

void VectorLayer::addField(const std::string& name, Type type) {
    constexpr std::array kTypes{OFTInteger64, OFTReal, OFTString};
    OGRFieldDefnH field = OGR_Fld_Create(name.c_str(), kTypes[static_cast<std::size_t>(type)]);
    const OGRErr failed = OGR_L_CreateField(state_->layer, field, TRUE);
    OGR_Fld_Destroy(field);
    state_->require(failed == OGRERR_NONE);
}

void VectorLayer::addFeature(std::span<const MapPolygon> parts, std::span<const Value> values) {
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(state_->layer));
    OGR_F_SetGeometryDirectly(feature, geometryOf(parts, state_->map));
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::visit(SetField{feature, static_cast<int>(i)}, values[i]);
    }
    const OGRErr failed = OGR_L_CreateFeature(state_->layer, feature);
    OGR_F_Destroy(feature);
    state_->require(failed == OGRERR_NONE);
}

void VectorLayer::finish() {
    state_->require(!state_->hasTransaction || GDALDatasetCommitTransaction(state_->dataset.get()) == OGRERR_NONE);
    state_->dataset.reset();
    const std::span<const std::byte> bytes = state_->memory.bytes();
    state_->file.writeAll(bytes.data(), bytes.size());
}

#else

struct VectorLayer::State {};

bool writesVectorFiles() noexcept { return false; }

void requireVectorName(const std::filesystem::path& path) {
    throw Error(ErrorCode::formatUnsupported, "write vector file: " + path.string() + ": this build has no GDAL");
}

VectorLayer::VectorLayer(AtomicFile& /*file*/, const std::filesystem::path& path, const std::string& /*name*/,
                         const std::vector<CopiedTag>& /*tags*/) {
    requireVectorName(path);
}

void VectorLayer::addField(const std::string& /*name*/, Type /*type*/) {}
void VectorLayer::addFeature(std::span<const MapPolygon> /*parts*/, std::span<const Value> /*values*/) {}
void VectorLayer::finish() {}

#endif

VectorLayer::~VectorLayer() = default;

bool namesVectorFile(const std::filesystem::path& path) { return vectorDriverOf(path) != nullptr; }

#ifdef POLLARD_WITH_GDAL

namespace {

constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 30U;
constexpr std::size_t kMostFeatures = 1'000'000;
constexpr std::size_t kMostCorners = 1'000'000;
constexpr int kMostArcBytes = 1 << 20; ///< of a feature: arcs become up to a hundred corners each
constexpr int kDeepest = 16;           ///< nesting of collections

struct DestroyFeature {
    void operator()(OGRFeatureH feature) const noexcept { OGR_F_Destroy(feature); }
};
using Feature = std::unique_ptr<std::remove_pointer_t<OGRFeatureH>, DestroyFeature>;
struct DestroyGeometry {
    void operator()(OGRGeometryH geometry) const noexcept { OGR_G_DestroyGeometry(geometry); }
};
using Geometry = std::unique_ptr<std::remove_pointer_t<OGRGeometryH>, DestroyGeometry>;
struct DestroyTransformation {
    void operator()(OGRCoordinateTransformationH change) const noexcept { OCTDestroyCoordinateTransformation(change); }
};
using Transformation = std::unique_ptr<std::remove_pointer_t<OGRCoordinateTransformationH>, DestroyTransformation>;

class Reader {
public:
    explicit Reader(const std::filesystem::path& path) : folder_(path), scope_(folder_) {}

    std::vector<std::string> layers() {
        const GdalHandle dataset = open();
        std::vector<std::string> names;
        for (int i = 0; i < GDALDatasetGetLayerCount(dataset.get()); ++i) {
            names.emplace_back(OGR_L_GetName(GDALDatasetGetLayer(dataset.get(), i)));
        }
        return names;
    }

    VectorPolygons read(const std::string& layerName, const JobControl& control) {
        const GdalHandle dataset = open();
        OGRLayerH layer = layerOf(dataset.get(), layerName);
        VectorPolygons found;
        found.system = systemOf(layer);
        OGR_L_ResetReading(layer);
        for (std::size_t count = 0;; ++count) {
            control.throwIfStopped();
            const Feature feature(OGR_L_GetNextFeature(layer));
            if (!feature) {
                break;
            }
            if (count == kMostFeatures) {
                throw error(ErrorCode::limitExceeded, "there are more than 1,000,000 features");
            }
            if (OGRGeometryH geometry = OGR_F_GetGeometryRef(feature.get()); geometry != nullptr) {
                addFeature(geometry, OGR_F_GetFID(feature.get()), found.polygons);
            }
        }
        scope_.requireAdmitted();
        if (scope_.hasFailed()) {
            throw scope_.failure(ErrorCode::fileDamaged, "");
        }
        if (found.polygons.empty()) {
            throw error(ErrorCode::fileDamaged, "there is no polygon in the layer " + factText(OGR_L_GetName(layer)));
        }
        return found;
    }

private:
    [[nodiscard]] Error error(ErrorCode code, const std::string& why) const {
        return readError(code, folder_.file(), why);
    }

    GdalHandle open() {
        const char* driver = vectorDriverOf(folder_.file());
        const bool isPackage = driver != nullptr && std::string_view(driver) == "GPKG";
        if (driver == nullptr) {
            throw error(ErrorCode::formatUnsupported, "the name is not that of a vector file");
        }
        if (isPackage) {
            requirePlainTables(folder_.file());
        }
        const std::array<const char*, 2> drivers{driver, nullptr};
        const std::array<const char*, 2> options{isPackage ? "IMMUTABLE=YES" : nullptr, nullptr};
        GdalHandle dataset(GDALOpenEx(folder_.file().c_str(), GDAL_OF_VECTOR, drivers.data(), options.data(), nullptr));
        scope_.requireAdmitted();
        if (!dataset) {
            throw scope_.failure(ErrorCode::fileDamaged, "GDAL cannot open the file");
        }
        return dataset;
    }

    [[nodiscard]] OGRLayerH layerOf(GDALDatasetH dataset, const std::string& name) const {
        std::string known;
        for (int i = 0; i < GDALDatasetGetLayerCount(dataset); ++i) {
            OGRLayerH layer = GDALDatasetGetLayer(dataset, i);
            if (name.empty() || name == OGR_L_GetName(layer)) {
                return layer;
            }
            known += (i == 0 ? "" : ", ") + factText(OGR_L_GetName(layer));
        }
        throw name.empty() ? error(ErrorCode::fileDamaged, "there is no layer")
                           : error(ErrorCode::invalidArgument,
                                   "the layer " + factText(name) + " does not exist, the file has " + known);
    }

    /// In WKT 2; empty for none, and for the placeholders of GeoPackages: the rows -1 and 0 of OGC 12-128, 1.1.2.1.2.
    static std::string systemOf(OGRLayerH layer) {
        OGRSpatialReferenceH system = OGR_L_GetSpatialRef(layer);
        if (system == nullptr || (OSRIsProjected(system) == 0 && OSRIsGeographic(system) == 0)) {
            return {};
        }
        const char* name = OSRGetName(system);
        const bool isUndefined = name != nullptr && std::string_view(name).starts_with("Undefined ");
        return isUndefined ? std::string() : gdalText(system, "WKT2_2019");
    }

    void addFeature(OGRGeometryH geometry, GIntBig number, std::vector<MapPolygon>& polygons) {
        const auto add = [&](OGRGeometryH part) {
            if (!addParts(part, polygons, 0)) {
                throw error(ErrorCode::formatUnsupported, "feature " + std::to_string(number) + " is of type " +
                                                              OGRGeometryTypeToName(OGR_G_GetGeometryType(geometry)) +
                                                              ", and only polygons are read");
            }
        };
        if (OGR_G_HasCurveGeometry(geometry, FALSE) != 0) {
            if (OGR_G_WkbSize(geometry) > kMostArcBytes) {
                throw error(ErrorCode::limitExceeded, "feature " + std::to_string(number) + " has too many arcs");
            }
            const Geometry lines(OGR_G_GetLinearGeometry(geometry, 0, nullptr));
            add(lines.get());
        } else {
            add(geometry);
        }
    }

    /// @return false for other geometry than polygons
    bool addParts(OGRGeometryH geometry, std::vector<MapPolygon>& polygons, int depth) {
        if (geometry == nullptr || depth > kDeepest) {
            return false;
        }
        switch (wkbFlatten(OGR_G_GetGeometryType(geometry))) {
        case wkbPolygon:
            if (OGR_G_IsEmpty(geometry) == 0) {
                polygons.push_back(polygonOf(geometry));
            }
            return true;
        case wkbMultiPolygon:
        case wkbGeometryCollection:
            for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
                if (!addParts(OGR_G_GetGeometryRef(geometry, i), polygons, depth + 1)) {
                    return false;
                }
            }
            return true;
        default:
            return false;
        }
    }

    MapPolygon polygonOf(OGRGeometryH geometry) {
        MapPolygon polygon;
        for (int i = 0; i < OGR_G_GetGeometryCount(geometry); ++i) {
            OGRGeometryH line = OGR_G_GetGeometryRef(geometry, i);
            const int points = OGR_G_GetPointCount(line);
            corners_ += static_cast<std::size_t>(points);
            if (corners_ > kMostCorners) {
                throw error(ErrorCode::limitExceeded, "there are more than 1,000,000 corners");
            }
            MapRing ring;
            for (int k = 0; k < points; ++k) {
                ring.push_back({OGR_G_GetX(line, k), OGR_G_GetY(line, k)});
                if (!std::isfinite(ring.back().x) || !std::isfinite(ring.back().y)) {
                    throw error(ErrorCode::fileDamaged, "a corner is no pair of numbers");
                }
            }
            if (ring.size() > 1 && ring.front() == ring.back()) {
                ring.pop_back();
            }
            if (ring.size() < 3) {
                throw error(ErrorCode::fileDamaged, "a polygon has less than three corners");
            }
            polygon.push_back(std::move(ring));
        }
        return polygon;
    }

    GdalFolder folder_;
    GdalScope scope_;
    std::size_t corners_ = 0;
};

/// Rounds positions that are integers before the conversion: else an outline would cross pixels.
double settled(double pixel) {
    constexpr double kSlack = 1e-5; // px
    return std::abs(pixel - std::round(pixel)) < kSlack ? std::round(pixel) : pixel;
}

/// From the units of a system to pixels.
class PixelPlaces {
public:
    PixelPlaces(const std::vector<CopiedTag>& tags, OGRSpatialReferenceH system, std::uint32_t width,
                std::uint32_t height)
        : map_(cornerTransform(tags)), determinant_(map_.x[1] * map_.y[2] - map_.x[2] * map_.y[1]),
          middle_(map_.x[0] + map_.x[1] * width / 2 + map_.x[2] * height / 2),
          turn_(OSRIsGeographic(system) != 0 ? 2 * std::numbers::pi / OSRGetAngularUnits(system, nullptr) : 0) {
        if (!std::isnormal(determinant_)) {
            throw Error(ErrorCode::invalidArgument, "the tags of the image give its pixels no size on the map");
        }
    }

    [[nodiscard]] MapPoint at(MapPoint place) const {
        constexpr double kWhole = 1 + 1e-12; // keeps both ends of an image of the whole earth in place
        if (turn_ > 0 && std::abs(place.x - middle_) > turn_ / 2 * kWhole) {
            place.x -= turn_ * std::round((place.x - middle_) / turn_);
        }
        const double x = place.x - map_.x[0];
        const double y = place.y - map_.y[0];
        return {settled((x * map_.y[2] - y * map_.x[2]) / determinant_),
                settled((y * map_.x[1] - x * map_.y[1]) / determinant_)};
    }

private:
    GeoTransform map_;
    double determinant_;
    double middle_; ///< of the image
    double turn_;   ///< of the earth; 0 in projected systems
};

/// Rows of an image without a map are negative y in vector files, see VectorLayer, or count downwards.
void flipUpwards(std::span<MapRing> rings) {
    const auto isAbove = [](const MapRing& ring) {
        return std::ranges::all_of(ring, [](const MapPoint& point) { return point.y <= 0; });
    };
    if (!std::ranges::all_of(rings, isAbove)) {
        return;
    }
    for (MapRing& ring : rings) {
        std::ranges::for_each(ring, [](MapPoint& point) { point.y = 0 - point.y; });
    }
}

/// Calls @p work with a reader of the file and turns its errors into errors about reading polygons.
template <class Work> auto reading(const std::filesystem::path& path, const Work& work) {
    try {
        if (openSource(path).size > kMostFileBytes) {
            throw readError(ErrorCode::limitExceeded, path, "vector files are read up to 1 GiB");
        }
        Reader reader(path);
        return work(reader);
    } catch (const Error& error) { // of functions for images
        constexpr std::string_view kImage = "cannot read image: ";
        const std::string_view why = error.what();
        throw Error(error.code(),
                    "read polygons: " + std::string(why.substr(why.starts_with(kImage) ? kImage.size() : 0)));
    }
}

} // namespace

std::vector<std::string> vectorLayers(const std::filesystem::path& path) {
    return reading(path, [](Reader& reader) { return reader.layers(); });
}

VectorPolygons readVectorPolygons(const std::filesystem::path& path, const std::string& layer,
                                  const JobControl& control) {
    return reading(path, [&](Reader& reader) { return reader.read(layer, control); });
}

void toPixels(std::span<MapRing> rings, const std::string& system, const std::vector<CopiedTag>& tags,
              std::uint32_t width, std::uint32_t height) {
    if (system.empty()) {
        flipUpwards(rings);
        return;
    }
    const std::string text = vectorSystemOf(tags);
    const GdalSystem from = gdalSystem(system);
    const std::string name = from ? factText(OSRGetName(from.get())) : "an unknown system";
    if (text.empty()) {
        throw Error(ErrorCode::invalidArgument,
                    "it is in the coordinate system " + name + ", and the image has no map coordinates");
    }
    const GdalSystem to = gdalSystem(text);
    const Transformation change(from && to ? OCTNewCoordinateTransformation(from.get(), to.get()) : nullptr);
    if (!change) {
        throw Error(ErrorCode::formatUnsupported,
                    "there is no way from the coordinate system " + name + " to that of the image");
    }
    const PixelPlaces pixels(tags, to.get(), width, height);
    for (MapRing& ring : rings) {
        for (MapPoint& corner : ring) {
            MapPoint place = corner;
            if (OCTTransform(change.get(), 1, &place.x, &place.y, nullptr) == 0 || !std::isfinite(place.x) ||
                !std::isfinite(place.y)) {
                throw Error(ErrorCode::formatUnsupported,
                            "a corner has no place in the coordinate system of the image");
            }
            corner = pixels.at(place);
        }
    }
}

#else

std::vector<std::string> vectorLayers(const std::filesystem::path& path) {
    throw Error(ErrorCode::formatUnsupported, "read polygons: " + path.string() + ": this build has no GDAL");
}

VectorPolygons readVectorPolygons(const std::filesystem::path& path, const std::string& /*layer*/,
                                  const JobControl& /*control*/) {
    throw Error(ErrorCode::formatUnsupported, "read polygons: " + path.string() + ": this build has no GDAL");
}

void toPixels(std::span<MapRing> /*rings*/, const std::string& /*system*/, const std::vector<CopiedTag>& /*tags*/,
              std::uint32_t /*width*/, std::uint32_t /*height*/) {}

#endif

} // namespace pollard
