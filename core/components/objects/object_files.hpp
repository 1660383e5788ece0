#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_column.hpp"
#include "components/objects/object_features.hpp"
#include "components/outlines.hpp"
#include "image/length_unit.hpp"
#include "io/tiff/tiff_writer.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

class MapCoordinates;
class TextFile;

/// File formats for listed objects.
enum class ObjectFile : std::uint8_t {
    table,    ///< CSV, in the order of the list
    labels,   ///< TIFF of the labels, 16 or 32 bits
    outlines, ///< GeoJSON
    regions,  ///< zip of ImageJ regions
    vector,   ///< GeoPackage of the outlines, with GDAL
};
inline constexpr std::array kObjectFiles{ObjectFile::table, ObjectFile::labels, ObjectFile::outlines,
                                         ObjectFile::regions, ObjectFile::vector};
/// "csv", "labels", "geojson", "rois", "gpkg"
[[nodiscard]] std::string_view nameOf(ObjectFile file) noexcept;
/// File name extension without the dot: "csv", "tif", "geojson", "zip", "gpkg".
[[nodiscard]] std::string_view extensionOf(ObjectFile file) noexcept;

/// Unit of lengths and areas in a file. Names of columns and properties end in it, "area_um2", unless it is px.
struct ObjectUnit {
    LengthUnit unit = LengthUnit::pixel;
    double side = 1; ///< of a (square) pixel, in this unit

    bool operator==(const ObjectUnit&) const = default;
};

/// Name of a column or property: "area", or "area_um2", of a volume "area_um3".
[[nodiscard]] std::string columnOf(const ObjectFeatureInfo& feature, LengthUnit unit);
[[nodiscard]] std::string columnOf(ObjectFeature feature, const ObjectUnit& unit);
/// Whether the values of a feature are integers in this unit.
[[nodiscard]] bool isWhole(const ObjectFeatureInfo& feature, LengthUnit unit) noexcept;
/// Writes the value of a cell; values in px that are integers are written as such.
/// @param value in @p unit
/// @throws Error(writeFailed)
void writeFeature(TextFile& file, ObjectFeature feature, double value, const ObjectUnit& unit);

/// Adds columns to the properties of an object in GeoJSON: ,"name":5, null without a value, and the class as QuPath
/// reads it. @throws Error(writeFailed)
void writeProperties(TextFile& file, std::span<const ObjectColumn> columns, std::uint32_t label);

/// Writes one of these files, atomically.
/// @param labels objects to write, in this order
/// @param writing options of the label image, see resultOptions(); a vector file has the place that its tags state
/// @param map for GeoJSON, see writeObjectOutlines()
/// @param unit of measurements in the table and the outlines; coordinates are in px
/// @param further columns of the table and properties of the outlines
/// @throws Error(writeFailed), errors of the functions below; Cancelled
void writeObjectFile(ObjectFile file, const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const TiffWriteOptions& writing,
                     const JobControl& control = {}, const MapCoordinates* map = nullptr, const ObjectUnit& unit = {},
                     std::span<const ObjectColumn> further = {});

/// 1 .. count.
[[nodiscard]] std::vector<std::uint32_t> allLabels(const Components& components);

/// Writes a line of names and a line per object: label, area, box, centroid, raw sums, axes and orientation of the
/// ellipse with equal second moments, grey levels, perimeter, holes, derived features, and @p further columns. Raw sums
/// are in px.
/// @param labels objects to write, in this order
/// @throws Error(writeFailed), Cancelled
void writeObjectTable(TextFile& file, const Components& components, std::span<const std::uint32_t> labels,
                      const JobControl& control, const ObjectUnit& unit = {},
                      std::span<const ObjectColumn> further = {});

/// Parts of a line of writeObjectTable(), without the line end: the column names, and the cells of an object.
void writeObjectColumns(TextFile& file, const ObjectUnit& unit = {});
void writeObjectCells(TextFile& file, const ComponentRecord& object, std::uint32_t label, const ObjectUnit& unit = {});

/// Further parts of a line, each with a comma before it: the names of columns, and the cells of an object.
void writeColumnNames(TextFile& file, std::span<const ObjectColumn> columns);
void writeColumnCells(TextFile& file, std::span<const ObjectColumn> columns, std::uint32_t label);

/// Writes outlines as a GeoJSON feature collection with a feature per object: Polygon, or MultiPolygon if parts meet
/// only at corners. Positions are px along the edges of pixels, y pointing down, or with a map longitude and latitude,
/// see earthPolygons(); properties do not depend on the map.
/// @param labels objects to write, in this order
/// @param map of the picture; null: px
/// @param further properties, null where a column is not finite; a class is the property `classification` of QuPath,
/// {"name", "color": [red, green, blue]}
/// @throws Error(writeFailed), Error(formatUnsupported) for a corner outside the map; Cancelled
void writeObjectOutlines(TextFile& file, const Components& components, const Outlines& outlines,
                         std::span<const std::uint32_t> labels, const JobControl& control,
                         const MapCoordinates* map = nullptr, const ObjectUnit& unit = {},
                         std::span<const ObjectColumn> further = {});

/// Writes outlines as regions for ImageJ's ROI manager: an uncompressed zip of .roi files. An object with one ring is a
/// traced region, others (with holes, or parts that meet at corners) are composite. Names are the labels with leading
/// zeros.
/// @param labels objects to write, in this order
/// @throws Error(limitExceeded) for more than 65,535 objects or positions beyond 32,767 px, the limits of the formats;
/// Error(writeFailed), Cancelled
void writeObjectRois(const std::filesystem::path& path, const Components& components, const Outlines& outlines,
                     std::span<const std::uint32_t> labels, const JobControl& control = {});

/// Writes the label image with the original labels: 16 bits per pixel if the largest label fits, else 32.
/// @param labels objects to write; other pixels are 0
/// @param writing as for writeObjectFile()
/// @throws Error(writeFailed), Error(outOfMemory); Cancelled
void writeObjectLabels(const std::filesystem::path& path, const Components& components,
                       std::span<const std::uint32_t> labels, const TiffWriteOptions& writing,
                       const JobControl& control = {});

} // namespace pollard
