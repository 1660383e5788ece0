#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
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

/// What listed objects can be written as.
enum class ObjectFile : std::uint8_t {
    table,    ///< CSV, in px, in the order of the list
    labels,   ///< TIFF of the labels, 16 or 32 bits
    outlines, ///< GeoJSON
    regions,  ///< a zip of ImageJ's regions
};
inline constexpr std::array kObjectFiles{ObjectFile::table, ObjectFile::labels, ObjectFile::outlines,
                                         ObjectFile::regions};
/// "csv", "labels", "geojson", "rois"
[[nodiscard]] std::string_view nameOf(ObjectFile file) noexcept;
/// Of the file's name, without the dot: "csv", "tif", "geojson", "zip".
[[nodiscard]] std::string_view extensionOf(ObjectFile file) noexcept;

/// Unit of lengths and areas in a file. Names of columns and properties end in it unless it is px: "area_um2".
struct ObjectUnit {
    LengthUnit unit = LengthUnit::pixel;
    double side = 1; ///< of a (square) pixel, in it

    bool operator==(const ObjectUnit&) const = default;
};

/// The name of a column or property: "area", or "area_um2".
[[nodiscard]] std::string columnOf(ObjectFeature feature, const ObjectUnit& unit);
/// Writes the value of a cell. Whole numbers are written as such as long as they are px.
/// @param value in @p unit
/// @throws Error(writeFailed)
void writeFeature(TextFile& file, ObjectFeature feature, double value, const ObjectUnit& unit);

/// Writes one of these files, whole or not at all.
/// @param labels which objects, in this order
/// @param writing how to write the label image, see resultOptions()
/// @param map of outlines, see writeObjectOutlines()
/// @param unit of the measures in the table and with the outlines; coordinates are px
/// @throws Error(writeFailed), those of the writers below; Cancelled
void writeObjectFile(ObjectFile file, const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const TiffWriteOptions& writing,
                     const JobControl& control = {}, const MapCoordinates* map = nullptr, const ObjectUnit& unit = {});

/// 1 .. count.
[[nodiscard]] std::vector<std::uint32_t> allLabels(const Components& components);

/// Writes a line an object: label, area, box, centroid, raw sums, axes and orientation of the ellipse of equal second
/// moments, grey levels, perimeter, holes, and what is derived from these, after a line of names. Raw sums are of px.
/// @param labels which objects, in this order
/// @throws Error(writeFailed), Cancelled
void writeObjectTable(TextFile& file, const Components& components, std::span<const std::uint32_t> labels,
                      const JobControl& control, const ObjectUnit& unit = {});

/// The parts of which writeObjectTable() makes its lines: the names of the columns, and the cells of an object, without
/// the line's end.
void writeObjectColumns(TextFile& file, const ObjectUnit& unit = {});
void writeObjectCells(TextFile& file, const ComponentRecord& object, std::uint32_t label, const ObjectUnit& unit = {});

/// Writes outlines as a GeoJSON feature collection, one feature an object: Polygon, or MultiPolygon where parts meet at
/// corners only. Positions are px along the edges of pixels, y pointing down, or with a map longitudes and latitudes,
/// see earthPolygons(); properties are the same.
/// @param labels which objects, in this order
/// @param map of the picture; null: px
/// @throws Error(writeFailed), Error(formatUnsupported) for a corner beside the map; Cancelled
void writeObjectOutlines(TextFile& file, const Components& components, const Outlines& outlines,
                         std::span<const std::uint32_t> labels, const JobControl& control,
                         const MapCoordinates* map = nullptr, const ObjectUnit& unit = {});

/// Writes outlines as a set of regions for ImageJ's ROI manager: a zip of .roi files, stored without compression. An
/// object of one ring is a traced region, others (holes, parts that meet at corners) are composite ones. Names are the
/// labels, with leading zeros.
/// @param labels which objects, in this order
/// @throws Error(limitExceeded) beyond 65,535 objects or where an object reaches beyond 32,767 px, which the formats
///         cannot hold; Error(writeFailed), Cancelled
void writeObjectRois(const std::filesystem::path& path, const Components& components, const Outlines& outlines,
                     std::span<const std::uint32_t> labels, const JobControl& control = {});

/// Writes the label image with the objects' own numbers, 0 elsewhere: 16 bits a pixel where the largest label fits,
/// else 32.
/// @param labels which objects; others are 0
/// @param writing as for writeObjectFile()
/// @throws Error(writeFailed), Error(outOfMemory); Cancelled
void writeObjectLabels(const std::filesystem::path& path, const Components& components,
                       std::span<const std::uint32_t> labels, const TiffWriteOptions& writing,
                       const JobControl& control = {});

} // namespace pollard
