#pragma once

#include "base/job_control.hpp"
#include "geo/earth_polygons.hpp"
#include "image/region_shape.hpp"
#include "io/image_file.hpp"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

namespace pollard::vm {

/// Shapes as a GeoJSON FeatureCollection of polygons (RFC 7946) with coordinates in px of the image, y down. The
/// property "shape" of a feature is "rectangle", "ellipse" or "polygon"; an ellipse is written as a polygon with 72
/// corners and read as an ellipse.
/// @param map of the image: longitudes and latitudes instead of px, see earthPolygons()
/// @throws Error(formatUnsupported) for a corner outside the map
[[nodiscard]] QByteArray toGeoJson(const std::vector<RegionShape>& shapes, const MapCoordinates* map = nullptr);

/// The shapes of a file, in px of the image.
struct FiledRegion {
    std::vector<RegionShape> shapes;
    GeoJsonIn positions = GeoJsonIn::pixels; ///< of the file
};
/// Reads the output of toGeoJson() and polygons of other programs: a FeatureCollection, Feature, GeometryCollection,
/// Polygon or MultiPolygon.
/// @param map of the image; needed only for degrees
/// @param unmarked unit of the positions of a file without a mark
/// @throws Error(fileDamaged) if it is not GeoJSON, Error(formatUnsupported) for holes or too many corners,
/// Error(invalidArgument) for degrees without a map
[[nodiscard]] FiledRegion readGeoJson(const QByteArray& json, const MapCoordinates* map, GeoJsonIn unmarked);

struct ReadRegion {
    std::vector<RegionShape> shapes; ///< in px of the image
    bool isAmbiguous = false;        ///< positions taken for px could be longitudes and latitudes of the image
    QStringList layers;              ///< of a vector file, one of which has to be named; else empty
    QString problem;                 ///< one line for the user; empty after success
};

/// Reads a GeoJSON file, see readGeoJson().
[[nodiscard]] ReadRegion readRegionFile(const QString& path, const MapCoordinates* map, GeoJsonIn unmarked);

/// Reads a layer of a vector file, see readVectorPolygons(). Polygons with holes are refused, as in GeoJSON.
/// @param layer empty for the only layer of a file
/// @param tags of the image of width x height px
/// @throws Cancelled
[[nodiscard]] ReadRegion readVectorRegion(const QString& path, const QString& layer, const std::vector<CopiedTag>& tags,
                                          std::uint32_t width, std::uint32_t height, const JobControl& control);

/// Writes a GeoJSON file, see toGeoJson().
/// @return the reason of a failure, one line for the user; empty after success
[[nodiscard]] QString writeRegionFile(const QString& path, const std::vector<RegionShape>& shapes,
                                      const MapCoordinates* map);

} // namespace pollard::vm
