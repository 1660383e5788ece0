#include "geo/vector_layer.hpp"

#include "base/error.hpp"

#ifdef POLLARD_WITH_GDAL

#include "formats/gdal/gdal_handles.hpp"
#include "formats/gdal/gdal_scope.hpp"
#include "geo/vector_system.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_keys.hpp"
#include "io/write/name_ending.hpp"

#include <array>
#include <cmath>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cstddef>
#include <gdal.h>
#include <ogr_api.h>
#include <string_view>

namespace pollard {

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
    const char* driver; ///< of vectorDriverOf(): one of those that write one file
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

} // namespace pollard

#else

namespace pollard {

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

} // namespace pollard

#endif

namespace pollard {

VectorLayer::~VectorLayer() = default;

} // namespace pollard
