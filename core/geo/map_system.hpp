#pragma once

#include "io/image_file.hpp"
#include "io/metadata/geo_tags.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pollard {

/// Coordinate system named or described by an image's geo keys.
struct MapSystem {
    std::string name;       ///< from the citations, one line; may be empty
    std::string definition; ///< "EPSG:32632", or a geographic system in WKT 1
    /// If not empty, this is the projection in WKT 1, from PROJECTION to UNIT, and `definition` its geographic system.
    std::string projection;
    double unit = 0; ///< metres or radians per unit of the tags; 0: unit of the system
};

/// Interprets the keys of OGC GeoTIFF 1.1: EPSG codes; geographic systems with a user-defined ellipsoid; user-defined
/// projections: (universal) transverse Mercator, Mercator, Lambert conformal conic with one or two parallels, Lambert
/// azimuthal equal-area, Albers, polar stereographic, sinusoidal, cylindrical (equal-area); systems in the text of
/// ESRI.
/// @throws Error(formatUnsupported) for others, with their name from the keys
[[nodiscard]] MapSystem mapSystemOf(const std::vector<CopiedTag>& tags);

/// GDAL's driver for a vector file by the ending of its name: .gpkg, .shp, .fgb or .csv; null for others.
[[nodiscard]] const char* vectorDriverOf(const std::filesystem::path& path);

/// Affine map from pixel corners to the units of the tags, for either raster type; px stay px if the tags have none.
[[nodiscard]] GeoTransform cornerTransform(const std::vector<CopiedTag>& tags);

/// Coordinate system of an image in GDAL's WKT 2, in the unit of the tags. Empty if the system is missing or unknown,
/// and in a build without GDAL.
[[nodiscard]] std::string vectorSystemOf(const std::vector<CopiedTag>& tags);

} // namespace pollard
