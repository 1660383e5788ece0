#pragma once

#include "io/image_file.hpp"
#include "io/metadata/geo_keys.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pollard {

/// GDAL's driver for vector files whose names end in .gpkg, .shp, .fgb or .csv; null for others.
[[nodiscard]] const char* vectorDriverOf(const std::filesystem::path& path);

/// Affine map from pixel corners to the units of the tags, for either raster type; px stay px if the tags have none.
[[nodiscard]] GeoTransform cornerTransform(const std::vector<CopiedTag>& tags);

/// Coordinate system of an image as GDAL writes it in WKT 2, in the unit of the tags. Empty if the tags state none
/// that is known, and in a build without GDAL.
[[nodiscard]] std::string vectorSystemOf(const std::vector<CopiedTag>& tags);

} // namespace pollard
