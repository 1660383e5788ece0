#pragma once

#include "base/job_control.hpp"
#include "geo/geojson_positions.hpp"
#include "geo/map_point.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A contour in a file.
struct FiledContour {
    Contour nodes;
    std::uint32_t label = 1; ///< 1 .. n of those of a picture
    std::optional<int> page; ///< 0-based, where a file holds those of several pages
};

/// The outer rings of all polygons in a GeoJSON text: a geometry, a feature or a collection of either. Coordinates are
/// px along the edges of pixels, y pointing down; they are rounded to whole ones, and nodes that fall onto the one
/// before are left out.
/// @return one contour at least
/// @throws Error(fileDamaged) for what is no GeoJSON or has no polygon, or a coordinate that is no number of px
[[nodiscard]] std::vector<Contour> contoursIn(std::string_view geojson);

/// What contoursIn() finds in a file. @throws Error, naming the file
[[nodiscard]] std::vector<Contour> readContours(const std::filesystem::path& path);

/// The outer rings of all polygons in a GeoJSON text, as they stand there.
struct FiledRings {
    std::vector<MapRing> rings; ///< one at least; the first position may be repeated at the end
    GeoJsonIn positions = GeoJsonIn::pixels;
};
/// @param unmarked unit of the positions of a text without a mark
/// @throws Error(fileDamaged) for what is no GeoJSON or has no polygon, or a position that is no pair of numbers
[[nodiscard]] FiledRings filedRingsIn(std::string_view geojson, GeoJsonIn unmarked = GeoJsonIn::pixels);
/// The same of a file. @throws Error, naming the file
[[nodiscard]] FiledRings readFiledRings(const std::filesystem::path& path, GeoJsonIn unmarked = GeoJsonIn::pixels);
/// Rounds them to nodes, as contoursIn() does.
/// @param map of the picture; needed for degrees alone
/// @throws Error(invalidArgument) for degrees without a map, or outside of [-180, 180] and [-90, 90];
/// Error(fileDamaged)
///         for a place that is none of the picture's pixels
[[nodiscard]] std::vector<Contour> contoursOf(const FiledRings& filed, const MapCoordinates* map);

/// Writes contours as GeoJSON: one without a page as a feature, others as a collection of features with the properties
/// label and page. A Polygon's ring has positive area in these numbers if the contour turns clockwise as seen.
/// @param map of the picture: positions are longitudes and latitudes, see earthPolygons(); null: px
/// @throws Error(writeFailed), Error(formatUnsupported) for a node beside the map; Cancelled
void writeContourGeojson(const std::filesystem::path& path, std::span<const FiledContour> contours,
                         const JobControl& control = {}, const MapCoordinates* map = nullptr);

/// Writes contours as an SVG drawing as large as the picture, in px: a closed path each, without a fill, its line one
/// px wide at every scale.
/// @param title empty for none; UTF-8
/// @throws Error(writeFailed), Cancelled
void writeContourSvg(const std::filesystem::path& path, std::span<const FiledContour> contours, std::uint32_t width,
                     std::uint32_t height, std::string_view title = {}, const JobControl& control = {});

/// Writes contours as regions of ImageJ, polygons along the edges of pixels: a set for the ROI manager (a stored zip)
/// if the name ends in .zip, else one region. Names are the labels with leading zeros, behind the page's number, if
/// there is one.
/// @throws Error(invalidArgument) for several without .zip; Error(limitExceeded) beyond 32,767 px or 65,535 nodes or
///         contours, which the format cannot hold; Error(writeFailed), Cancelled
void writeContourRois(const std::filesystem::path& path, std::span<const FiledContour> contours,
                      const JobControl& control = {});

/// Whether writeContourRois() makes a set of this name.
[[nodiscard]] bool namesRoiSet(const std::filesystem::path& path);

} // namespace pollard
