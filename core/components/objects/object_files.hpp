#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/write/planes.hpp"

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

/// Name of a column or property: "area", "area_um2" in an image or "area_um3" in a volume.
[[nodiscard]] std::string columnOf(const ObjectFeatureInfo& feature, LengthUnit unit);

/// Ids of tableFeatures() for all features.
inline constexpr std::string_view kAllFeatures = "all";

/// The features in a table of objects.
struct TableFeatures {
    std::vector<ObjectFeatureInfo> features;
    bool sums = false; ///< raw sums of images, in px, behind `centroid_y`
};
/// Features of a table by their ids, as parseFeatures(). Without ids, a table of an image has label, area, box,
/// centroid, raw sums, axes and orientation of the ellipse with equal second moments, grey levels, perimeter, holes and
/// derived features; with "all", features that need edges follow. Without ids, a table of a volume has all features.
/// @throws Error(invalidArgument) as parseFeatures()
[[nodiscard]] TableFeatures tableFeatures(Connectivity connectivity, std::string_view ids = {});
/// Edge measurements that images require for the features.
[[nodiscard]] EdgeMeasure edgeMeasureOf(const TableFeatures& table) noexcept;

/// Writes a line of names and a line per object: its features, then @p further columns.
/// @param objects with the edges of edgeMeasureOf()
/// @param labels objects to write, in this order
/// @throws Error(writeFailed), Cancelled
void writeObjectTable(TextFile& file, const MeasuredObjects& objects, std::span<const std::uint32_t> labels,
                      const TableFeatures& table, const JobControl& control = {},
                      std::span<const ObjectColumn> further = {});
/// Parts of a line of writeObjectTable(), without further columns and line end: the names, and the cells of an object.
void writeFeatureNames(TextFile& file, const TableFeatures& table, LengthUnit unit = LengthUnit::pixel);
void writeFeatureCells(TextFile& file, const TableFeatures& table, const MeasuredObject& object,
                       const ObjectUnit& unit = {});

/// Features that outlines have as properties.
[[nodiscard]] std::span<const ObjectFeature> outlineFeatures(const Components& components) noexcept;
/// Adds outlineFeatures() to the properties of an object in GeoJSON: ,"area_um2":5
/// @throws Error(writeFailed)
void writeProperties(TextFile& file, const MeasuredObjects& objects, std::uint32_t label);
/// Adds columns to the properties of an object in GeoJSON: ,"name":5, null without a value, and the class as QuPath
/// reads it. @throws Error(writeFailed)
void writeProperties(TextFile& file, std::span<const ObjectColumn> columns, std::uint32_t label);

/// Writes one of these files, atomically. A table has the usual features. Labels of a volume are written by
/// writeVolumeLabels().
/// @param labels objects to write, in this order
/// @param facts about the label image, see resultFacts(); their tags place a vector file on the map
/// @param map for GeoJSON, see writeObjectOutlines()
/// @param unit of measurements in the table and the outlines; coordinates are in px
/// @param further columns of the table and properties of the outlines
/// @throws Error(writeFailed), errors of the functions of outlines.hpp; Error(formatUnsupported) for a vector file of a
/// volume; Cancelled
void writeObjectFile(ObjectFile file, const std::filesystem::path& path, const Components& components,
                     std::span<const std::uint32_t> labels, const PlaneFacts& facts, const JobControl& control = {},
                     const MapCoordinates* map = nullptr, const ObjectUnit& unit = {},
                     std::span<const ObjectColumn> further = {});

/// 1 .. count.
[[nodiscard]] std::vector<std::uint32_t> allLabels(const Components& components);

/// Writes the label image with the original labels: 16 bits per pixel if the largest label fits, else 32.
/// @param labels objects to write; other pixels are 0
/// @param facts as for writeObjectFile()
/// @throws Error(writeFailed), Error(outOfMemory); Cancelled
void writeObjectLabels(const std::filesystem::path& path, const Components& components,
                       std::span<const std::uint32_t> labels, const PlaneFacts& facts, const JobControl& control = {});

} // namespace pollard
