#pragma once

#include "base/job_control.hpp"
#include "geo/map_point.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Whether a name ends like that of a vector file which GDAL reads: .gpkg, .shp, .fgb, .csv.
[[nodiscard]] bool namesVectorFile(const std::filesystem::path& path);

/// The polygons of a layer of a vector file. Parts of multipolygons follow each other.
struct VectorPolygons {
    std::vector<MapPolygon> polygons; ///< at least one, with rings of three corners at least
    std::string system;               ///< coordinate system in WKT 2; empty: px of the image
};

/// Names of the layers of a vector file in their order. @throws as readVectorPolygons()
[[nodiscard]] std::vector<std::string> vectorLayers(const std::filesystem::path& path);

/// Reads a GeoPackage, a shapefile, FlatGeobuf or CSV with a column WKT, by GDAL. Features without a geometry are left
/// out; arcs become polylines; heights do not count.
/// @param layer empty for the first of the file
/// @throws Error(formatUnsupported) for content that is refused, other geometry than polygons, and in a build without
/// GDAL; Error(fileNotFound, fileUnreadable, fileDamaged); Error(invalidArgument) for an unknown layer;
/// Error(limitExceeded) beyond 1 GiB, a million features or a million corners; Cancelled
[[nodiscard]] VectorPolygons readVectorPolygons(const std::filesystem::path& path, const std::string& layer = {},
                                                const JobControl& control = {});

/// Converts corners to px of an image by the operation that PROJ prefers. Those within 1e-5 px of a corner of pixels
/// are moved there. In geographic systems the turn of the earth nearest to the image's middle is chosen.
/// @param system of VectorPolygons; empty: nothing changes
/// @param tags of the image of width x height px
/// @throws Error(invalidArgument) if the image has no map coordinates, Error(formatUnsupported) if a corner has none
/// in its system
void toPixels(std::span<MapRing> rings, const std::string& system, const std::vector<CopiedTag>& tags,
              std::uint32_t width, std::uint32_t height);

} // namespace pollard
