#pragma once

#include "image/region_shape.hpp"

#include <QByteArray>
#include <QString>

#include <vector>

namespace pollard::vm {

/// Shapes as a GeoJSON FeatureCollection of polygons (RFC 7946) whose coordinates are px of the picture, y down. The
/// property "shape" of a feature says "rectangle", "ellipse" or "polygon"; an ellipse is written as a polygon of 72
/// corners around it and becomes an ellipse again.
[[nodiscard]] QByteArray toGeoJson(const std::vector<RegionShape>& shapes);

/// Reads what toGeoJson() writes and polygons of other programs: a FeatureCollection, Feature, GeometryCollection,
/// Polygon or MultiPolygon.
/// @throws Error(fileDamaged) if it is no GeoJSON, Error(formatUnsupported) for holes or too many corners
[[nodiscard]] std::vector<RegionShape> fromGeoJson(const QByteArray& json);

} // namespace pollard::vm
