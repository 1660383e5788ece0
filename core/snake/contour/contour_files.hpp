#pragma once

#include "base/job_control.hpp"
#include "geo/earth_polygons.hpp"
#include "geo/map_coordinates.hpp"
#include "io/image_file.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// A measurement of a contour: a column of tables, a property of outlines.
struct ContourValue {
    std::string name;            ///< "area_um2"
    std::optional<double> value; ///< empty if it is unknown

    bool operator==(const ContourValue&) const = default;
};

/// A contour for a file.
struct LabelledContour {
    Contour nodes;
    std::uint32_t label = 1;               ///< 1 .. n within an image
    std::optional<int> page;               ///< 0-based, for files with several pages
    std::string_view axis = "page";        ///< of `page`: the name of the property
    std::vector<ContourValue> values = {}; ///< of all contours of a file, with the same names in the same order
};

/// The outer rings of all polygons in a GeoJSON text: a geometry, a feature or a collection of either. Coordinates are
/// px along the edges of pixels, y pointing down, rounded to integers; consecutive equal nodes are merged.
/// @return at least one contour
/// @throws Error(fileDamaged) for text that is not GeoJSON, without a polygon, or with an invalid px coordinate
[[nodiscard]] std::vector<Contour> contoursIn(std::string_view geojson);

/// contoursIn() of a file. @throws Error, naming the file
[[nodiscard]] std::vector<Contour> readContours(const std::filesystem::path& path);

/// The outer rings of all polygons in a GeoJSON text or a vector file, as stored.
struct FileRings {
    std::vector<MapRing> rings; ///< at least one; the first position may be repeated at the end
    GeoJsonIn positions = GeoJsonIn::pixels;
    std::optional<std::string> system = {}; ///< of a vector file, see VectorPolygons, in place of `positions`
};
/// @param unmarked unit of positions if the text does not mark it
/// @throws Error(fileDamaged) for text that is not GeoJSON, without a polygon, or with a position that is not a pair of
/// numbers
[[nodiscard]] FileRings parseRings(std::string_view geojson, GeoJsonIn unmarked = GeoJsonIn::pixels);
/// parseRings() of a file, or the outer rings of readVectorPolygons() by the name of the file.
/// @param layer of a vector file; empty for the first
/// @throws Error, naming the file; Error(invalidArgument) for a layer of GeoJSON; Cancelled
[[nodiscard]] FileRings readRings(const std::filesystem::path& path, GeoJsonIn unmarked = GeoJsonIn::pixels,
                                  const std::string& layer = {}, const JobControl& control = {});
/// Rounds rings to contours, as contoursIn() does.
/// @param map of the image; needed only for degrees
/// @throws Error(invalidArgument) for degrees without a map, or outside [-180, 180] and [-90, 90]; Error(fileDamaged)
/// for a position outside the image
[[nodiscard]] std::vector<Contour> contoursOf(const FileRings& filed, const MapCoordinates* map);
/// Rounds rings of a vector file to contours, which become clockwise on the screen.
/// @param tags of the image of width x height px
/// @throws Error as toPixels(); Error(fileDamaged) for a position outside the image
[[nodiscard]] std::vector<Contour> contoursOf(FileRings filed, const std::vector<CopiedTag>& tags, std::uint32_t width,
                                              std::uint32_t height);

/// Writes contours as GeoJSON: a single contour without a page as a feature with its values as properties, others as a
/// collection of features with the properties label and page and their values. Polygon rings have positive area in
/// these coordinates if the contour is clockwise on the screen.
/// @param map of the image: positions are longitude and latitude, see earthPolygons(); null: px
/// @throws Error(writeFailed), Error(formatUnsupported) for a node outside the map; Cancelled
void writeContourGeojson(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                         const JobControl& control = {}, const MapCoordinates* map = nullptr);

/// Writes contours as the layer "contours" of a vector file, see VectorLayer: a MultiPolygon of one part each, with the
/// property label, page if the first contour has one, and the values.
/// @param tags of the image
/// @throws errors of VectorLayer; Cancelled
void writeContourVector(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                        const std::vector<CopiedTag>& tags, const JobControl& control = {});

/// Writes a table with a line for each contour: page if the first contour has one, label, number of nodes, and the
/// values. @throws Error(writeFailed), Cancelled
void writeContourTable(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                       const JobControl& control = {});

/// Writes contours as an SVG drawing of the image's size, in px: closed paths without a fill, with lines one px wide
/// at every scale.
/// @param title empty for none; UTF-8
/// @throws Error(writeFailed), Cancelled
void writeContourSvg(const std::filesystem::path& path, std::span<const LabelledContour> contours, std::uint32_t width,
                     std::uint32_t height, std::string_view title = {}, const JobControl& control = {});

/// Writes contours as ImageJ regions, polygons along the edges of pixels: a set for the ROI manager (uncompressed zip)
/// if the name ends in .zip, else one region. Names are the labels with leading zeros, after the page number if there
/// is one.
/// @throws Error(invalidArgument) for several contours without .zip; Error(limitExceeded) beyond 32,767 px, 65,535
/// nodes or 65,535 contours, the limits of the format; Error(writeFailed), Cancelled
void writeContourRois(const std::filesystem::path& path, std::span<const LabelledContour> contours,
                      const JobControl& control = {});

/// Whether writeContourRois() writes a set to this path.
[[nodiscard]] bool namesRoiSet(const std::filesystem::path& path);

} // namespace pollard
