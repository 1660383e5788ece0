#pragma once

#include "geo/geojson_positions.hpp"
#include "image/region_shape.hpp"

#include <QByteArray>
#include <QString>

#include <vector>

namespace pollard::vm {

/// Shapes as a GeoJSON FeatureCollection of polygons (RFC 7946) whose coordinates are px of the picture, y down. The
/// property "shape" of a feature says "rectangle", "ellipse" or "polygon"; an ellipse is written as a polygon of 72
/// corners around it and becomes an ellipse again.
/// @param map of the picture: longitudes and latitudes instead of px, see earthPolygons()
/// @throws Error(formatUnsupported) for a corner beside the map
[[nodiscard]] QByteArray toGeoJson(const std::vector<RegionShape>& shapes, const MapCoordinates* map = nullptr);

/// Reads what toGeoJson() writes and polygons of other programs: a FeatureCollection, Feature, GeometryCollection,
/// Polygon or MultiPolygon.
/// @throws Error(fileDamaged) if it is no GeoJSON, Error(formatUnsupported) for holes or too many corners
[[nodiscard]] std::vector<RegionShape> fromGeoJson(const QByteArray& json);

/// The shapes of a file, in px of the picture.
struct FiledRegion {
    std::vector<RegionShape> shapes;
    GeoJsonIn positions = GeoJsonIn::pixels; ///< of the file
};
/// Reads the same in px or degrees.
/// @param map of the picture; needed for degrees alone
/// @param unmarked unit of the positions of a file without a mark
/// @throws as fromGeoJson(); Error(invalidArgument) for degrees without a map
[[nodiscard]] FiledRegion readGeoJson(const QByteArray& json, const MapCoordinates* map, GeoJsonIn unmarked);

} // namespace pollard::vm
