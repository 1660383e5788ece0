#pragma once

#include "geo/geojson_positions.hpp"
#include "image/region_shape.hpp"

#include <QByteArray>
#include <QString>

#include <vector>

namespace pollard::vm {

/// Shapes as a GeoJSON FeatureCollection of polygons (RFC 7946) with coordinates in px of the picture, y down. The
/// property "shape" of a feature is "rectangle", "ellipse" or "polygon"; an ellipse is written as a polygon with 72
/// corners and read as an ellipse.
/// @param map of the picture: longitudes and latitudes instead of px, see earthPolygons()
/// @throws Error(formatUnsupported) for a corner outside the map
[[nodiscard]] QByteArray toGeoJson(const std::vector<RegionShape>& shapes, const MapCoordinates* map = nullptr);

/// Reads the output of toGeoJson() and polygons of other programs: a FeatureCollection, Feature, GeometryCollection,
/// Polygon or MultiPolygon.
/// @throws Error(fileDamaged) if it is not GeoJSON, Error(formatUnsupported) for holes or too many corners
[[nodiscard]] std::vector<RegionShape> fromGeoJson(const QByteArray& json);

/// The shapes of a file, in px of the picture.
struct FiledRegion {
    std::vector<RegionShape> shapes;
    GeoJsonIn positions = GeoJsonIn::pixels; ///< of the file
};
/// Reads the same in px or degrees.
/// @param map of the picture; needed only for degrees
/// @param unmarked unit of the positions of a file without a mark
/// @throws as fromGeoJson(); Error(invalidArgument) for degrees without a map
[[nodiscard]] FiledRegion readGeoJson(const QByteArray& json, const MapCoordinates* map, GeoJsonIn unmarked);

} // namespace pollard::vm
