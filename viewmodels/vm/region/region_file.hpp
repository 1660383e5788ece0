#pragma once

#include "geo/geojson_positions.hpp"
#include "image/region_shape.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <cstdint>
#include <vector>

namespace pollard::vm {

struct ReadRegion {
    std::vector<RegionShape> shapes; ///< in px of the picture
    bool isAmbiguous = false;        ///< positions taken for px could be longitudes and latitudes of the picture
    QString problem;                 ///< one line for the user; empty after success
};

/// Reads a GeoJSON file, see readGeoJson().
[[nodiscard]] ReadRegion readRegionFile(const QString& path, const MapCoordinates* map, GeoJsonIn unmarked);

/// Reads the first layer of a vector file, see readVectorPolygons(). Polygons with holes are refused, as in GeoJSON.
/// @param tags of the picture of width x height px
[[nodiscard]] ReadRegion readVectorRegion(const QString& path, const std::vector<CarriedTag>& tags, std::uint32_t width,
                                          std::uint32_t height);

/// Writes a GeoJSON file, see toGeoJson().
/// @return the reason of a failure, one line for the user; empty after success
[[nodiscard]] QString writeRegionFile(const QString& path, const std::vector<RegionShape>& shapes,
                                      const MapCoordinates* map);

} // namespace pollard::vm
