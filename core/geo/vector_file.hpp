#pragma once

#include <filesystem>
#include <string>

namespace pollard {

/// Whether the name is that of a vector file that builds with GDAL read: .gpkg, .shp, .fgb.
[[nodiscard]] bool isVectorFile(const std::filesystem::path& path);

/// The polygons of the first layer of a vector file that has any, as a GeoJSON FeatureCollection without properties: in
/// marked longitude and latitude (WGS 84), see kPositionsMember, or as stored, px, if the layer has no coordinate
/// system. Curves become lines; other geometries are left out.
/// @throws Error(fileDamaged) for files that GDAL cannot open and for positions that it cannot transform,
/// Error(formatUnsupported) without polygons, without GDAL, or for content that leads to other files,
/// Error(limitExceeded) above 2,000,000 positions; messages do not name the file
[[nodiscard]] std::string polygonsAsGeoJson(const std::filesystem::path& path);

} // namespace pollard
