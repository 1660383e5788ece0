#include "components/outline_geopackage.hpp"

#include "base/error.hpp"

#ifdef POLLARD_WITH_GDAL

#include "components/objects/object_classes.hpp"
#include "components/objects/object_features.hpp"
#include "geo/map_system.hpp"
#include "io/gdal/gdal_handles.hpp"
#include "io/gdal/gdal_scope.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/metadata/geo_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cstddef>
#include <gdal.h>
#include <memory>
#include <ogr_api.h>
#include <ogr_srs_api.h>
#include <optional>
#include <string>
#include <type_traits>

namespace pollard {

namespace {

constexpr std::array kProperties{ObjectFeature::area,     ObjectFeature::centroidX, ObjectFeature::centroidY,
                                 ObjectFeature::greyMean, ObjectFeature::perimeter, ObjectFeature::holes};

struct Release {
    void operator()(OGRSpatialReferenceH system) const noexcept { OSRRelease(system); }
};
using System = std::unique_ptr<std::remove_pointer_t<OGRSpatialReferenceH>, Release>;

/// Null if the tags state no system that is known.
System systemOf(const std::vector<CarriedTag>& tags) {
    System system(OSRNewSpatialReference(nullptr));
    try {
        const MapSystem known = mapSystemOf(tags);
        if (OSRSetFromUserInput(system.get(), known.definition.c_str()) != OGRERR_NONE) {
            return nullptr;
        }
        if (!known.projection.empty()) {
            char* geographic = nullptr;
            OSRExportToWkt(system.get(), &geographic);
            const std::string text = "PROJCS[\"" + known.name + "\"," + (geographic != nullptr ? geographic : "") +
                                     ',' + known.projection + ']';
            CPLFree(geographic);
            if (OSRSetFromUserInput(system.get(), text.c_str()) != OGRERR_NONE) {
                return nullptr;
            }
        }
    } catch (const Error&) {
        return nullptr;
    }
    OSRSetAxisMappingStrategy(system.get(), OAMS_TRADITIONAL_GIS_ORDER);
    return system;
}

/// From the corners of pixels to the map, or the corners themselves.
GeoTransform cornersOf(const std::vector<CarriedTag>& tags) {
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
    Layer(AtomicFile& file, const char* name, const std::vector<CarriedTag>& tags) : file_(file) {
        GDALDriverH driver = geoPackageDriver();
        if (driver == nullptr) {
            file_.fail("GDAL without its driver GPKG");
        }
        dataset_.reset(GDALCreate(driver, name, 0, 0, 0, GDT_Unknown, nullptr));
        const System system = systemOf(tags);
        layer_ = dataset_ ? GDALDatasetCreateLayer(dataset_.get(), "objects", system.get(), wkbMultiPolygon, nullptr)
                          : nullptr;
        require(layer_ != nullptr && GDALDatasetStartTransaction(dataset_.get(), FALSE) == OGRERR_NONE);
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
        require(GDALDatasetCommitTransaction(dataset_.get()) == OGRERR_NONE);
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
};

void setNumber(OGRFeatureH feature, int field, double value) {
    if (std::isfinite(value)) {
        OGR_F_SetFieldDouble(feature, field, value);
    }
}

} // namespace

void writeGeoPackage(AtomicFile& file, const Components& components, const Outlines& outlines,
                     std::span<const std::uint32_t> labels, const std::vector<CarriedTag>& tags,
                     const JobControl& control, const ObjectUnit& unit, std::span<const ObjectColumn> further) {
    prepareGdal();
    const GdalMemoryFile memory(".gpkg");
    Layer layer(file, memory.name(), tags);
    layer.addField("label", OFTInteger64);
    for (const ObjectFeature property : kProperties) {
        layer.addField(columnOf(property, unit), OFTReal);
    }
    for (const ObjectColumn& column : further) {
        layer.addField(column.name, column.classes ? OFTString : OFTReal);
    }
    const GeoTransform map = cornersOf(tags);
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

void writeGeoPackage(AtomicFile& /*file*/, const Components& /*components*/, const Outlines& /*outlines*/,
                     std::span<const std::uint32_t> /*labels*/, const std::vector<CarriedTag>& /*tags*/,
                     const JobControl& /*control*/, const ObjectUnit& /*unit*/,
                     std::span<const ObjectColumn> /*further*/) {
    throw Error(ErrorCode::formatUnsupported, "GeoPackage: this build has no GDAL");
}

} // namespace pollard

#endif
