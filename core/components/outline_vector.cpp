#include "components/outline_vector.hpp"

#include "base/error.hpp"

#ifdef POLLARD_WITH_GDAL

#include "components/objects/object_classes.hpp"
#include "components/objects/object_features.hpp"
#include "geo/vector_system.hpp"
#include "io/gdal/gdal_handles.hpp"
#include "io/gdal/gdal_scope.hpp"
#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cpl_error.h>
#include <cstddef>
#include <gdal.h>
#include <ogr_api.h>
#include <string>

namespace pollard {

namespace {

constexpr std::array kProperties{ObjectFeature::area,     ObjectFeature::centroidX, ObjectFeature::centroidY,
                                 ObjectFeature::greyMean, ObjectFeature::perimeter, ObjectFeature::holes};

OGRGeometryH geometryOf(const Outlines& outlines, std::span<const OutlineRing> rings, const GeoTransform& map) {
    OGRGeometryH parts = OGR_G_CreateGeometry(wkbMultiPolygon);
    OGRGeometryH polygon = nullptr;
    for (const OutlineRing& ring : rings) {
        OGRGeometryH line = OGR_G_CreateGeometry(wkbLinearRing);
        const auto add = [&](const OutlinePoint& point) {
            OGR_G_AddPoint_2D(line, map.x[0] + map.x[1] * point.x + map.x[2] * point.y,
                              map.y[0] + map.y[1] * point.x + map.y[2] * point.y);
        };
        const auto points = outlines.pointsOf(ring);
        std::ranges::for_each(points, add);
        add(points.front());
        if (!ring.hole) {
            polygon = OGR_G_CreateGeometry(wkbPolygon);
            OGR_G_AddGeometryDirectly(parts, polygon);
        }
        OGR_G_AddGeometryDirectly(polygon, line);
    }
    return parts;
}

/// The layer while it is written. Fields follow each other as they are added.
class Layer {
public:
    /// @param format of vectorDriverOf(): one of the drivers that write one file
    Layer(AtomicFile& file, const char* format, const char* name, const std::vector<CarriedTag>& tags) : file_(file) {
        GDALDriverH driver = GDALGetDriverByName(format);
        if (driver == nullptr) {
            file_.fail(std::string("GDAL without its driver ") + format);
        }
        dataset_.reset(GDALCreate(driver, name, 0, 0, 0, GDT_Unknown, nullptr));
        const GdalSystem system = gdalSystem(vectorSystemOf(tags));
        std::array<const char*, 2> options{EQUAL(format, "CSV") ? "GEOMETRY=AS_WKT" : nullptr, nullptr};
        layer_ = dataset_ ? GDALDatasetCreateLayer(dataset_.get(), "objects", system.get(), wkbMultiPolygon,
                                                   const_cast<char**>(options.data()))
                          : nullptr;
        require(layer_ != nullptr);
        hasTransaction_ = GDALDatasetTestCapability(dataset_.get(), ODsCTransactions) != 0;
        require(!hasTransaction_ || GDALDatasetStartTransaction(dataset_.get(), FALSE) == OGRERR_NONE);
    }

    void addField(const std::string& name, OGRFieldType type) {
        OGRFieldDefnH field = OGR_Fld_Create(name.c_str(), type);
        const OGRErr failed = OGR_L_CreateField(layer_, field, TRUE);
        OGR_Fld_Destroy(field);
        require(failed == OGRERR_NONE);
    }
    /// Sets fields by `set(feature)`.
    template <class Set> void addFeature(OGRGeometryH geometry, const Set& set) {
        OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer_));
        OGR_F_SetGeometryDirectly(feature, geometry);
        set(feature);
        const OGRErr failed = OGR_L_CreateFeature(layer_, feature);
        OGR_F_Destroy(feature);
        require(failed == OGRERR_NONE);
    }
    void finish() {
        require(!hasTransaction_ || GDALDatasetCommitTransaction(dataset_.get()) == OGRERR_NONE);
        dataset_.reset();
    }

private:
    void require(bool done) const {
        if (!done) {
            const std::string why = factText(CPLGetLastErrorMsg());
            file_.fail(why.empty() ? "GDAL cannot write the layer" : why);
        }
    }

    AtomicFile& file_;
    GdalHandle dataset_;
    OGRLayerH layer_ = nullptr;
    bool hasTransaction_ = false;
};

void setNumber(OGRFeatureH feature, int field, double value) {
    if (std::isfinite(value)) {
        OGR_F_SetFieldDouble(feature, field, value);
    }
}

} // namespace

void writeVectorOutlines(AtomicFile& file, const std::filesystem::path& path, const Components& components,
                         const Outlines& outlines, std::span<const std::uint32_t> labels,
                         const std::vector<CarriedTag>& tags, const JobControl& control, const ObjectUnit& unit,
                         std::span<const ObjectColumn> further) {
    prepareGdal();
    const char* const known = vectorDriverOf(path);
    const char* const driver = known != nullptr ? known : "GPKG";
    if (EQUAL(driver, "ESRI Shapefile")) {
        file.fail("a shapefile is several files; write .gpkg, .fgb or .csv, and convert it with ogr2ogr");
    }
    const GdalMemoryFile memory(known != nullptr ? path.extension().string() : ".gpkg");
    Layer layer(file, driver, memory.name(), tags);
    layer.addField("label", OFTInteger64);
    for (const ObjectFeature property : kProperties) {
        layer.addField(columnOf(property, unit), OFTReal);
    }
    for (const ObjectColumn& column : further) {
        layer.addField(column.name, column.classes ? OFTString : OFTReal);
    }
    const GeoTransform map = cornerTransform(tags);
    const std::vector<std::size_t> firstRing = firstRings(components, outlines);
    for (const std::uint32_t label : labels) {
        control.throwIfStopped();
        const auto rings =
            std::span(outlines.rings).subspan(firstRing[label - 1], firstRing[label] - firstRing[label - 1]);
        layer.addFeature(geometryOf(outlines, rings, map), [&](OGRFeatureH feature) {
            int field = 0;
            OGR_F_SetFieldInteger64(feature, field++, label);
            for (const ObjectFeature property : kProperties) {
                setNumber(feature, field++, featureOf(components.objects[label - 1], label, property, unit.side));
            }
            for (const ObjectColumn& column : further) {
                if (!column.classes) {
                    setNumber(feature, field, column.valueOf(label));
                } else if (const ObjectClass* own = column.classes->classOf(label); own != nullptr) {
                    OGR_F_SetFieldString(feature, field, own->name.c_str());
                }
                ++field;
            }
        });
    }
    layer.finish();
    const std::span<const std::byte> bytes = memory.bytes();
    file.writeAll(bytes.data(), bytes.size());
}

} // namespace pollard

#else

namespace pollard {

void writeVectorOutlines(AtomicFile& /*file*/, const std::filesystem::path& /*path*/, const Components& /*components*/,
                         const Outlines& /*outlines*/, std::span<const std::uint32_t> /*labels*/,
                         const std::vector<CarriedTag>& /*tags*/, const JobControl& /*control*/,
                         const ObjectUnit& /*unit*/, std::span<const ObjectColumn> /*further*/) {
    throw Error(ErrorCode::formatUnsupported, "vector files: this build has no GDAL");
}

} // namespace pollard

#endif
