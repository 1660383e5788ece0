#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_features.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/trace_file.hpp"
#include "snake/region_sums.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

class MapCoordinates;

/// File formats for the contours of an image.
enum class ContourFile : std::uint8_t {
    outline, ///< GeoJSON
    drawing, ///< SVG
    mask,    ///< TIFF, see maskOfContours()
    region,  ///< ImageJ
    trace,   ///< CSV of all states
    vector,  ///< GeoPackage, with GDAL
};
inline constexpr std::array kContourFiles{ContourFile::outline, ContourFile::drawing, ContourFile::mask,
                                          ContourFile::region,  ContourFile::trace,   ContourFile::vector};
/// "geojson", "svg", "mask", "rois", "trace", "gpkg"
[[nodiscard]] std::string_view nameOf(ContourFile file) noexcept;
/// File name extension without the dot: "geojson", "svg", "tif", "zip", "csv", "gpkg".
[[nodiscard]] std::string_view extensionOf(ContourFile file) noexcept;

/// Sums of levels of a contour and of its background.
struct ContourSums {
    RegionSums inside;
    RegionSums outside;
};

/// Measurements of a contour: area, length, in px and in the unit, means of the values inside and outside.
/// @param sums empty if they are unknown
[[nodiscard]] std::vector<ContourValue> contourValues(const Contour& contour, const std::optional<ContourSums>& sums,
                                                      const ObjectUnit& unit,
                                                      const std::optional<ValueMapping>& mapping);

/// The unit of contours in files: one in which lengths of the image are easy to read, else px.
[[nodiscard]] ObjectUnit contourUnitOf(const ImageInfo& info);

/// Content of the files.
struct ContourOutput {
    std::vector<Contour> contours;                      ///< at least one
    std::vector<std::vector<ContourValue>> values = {}; ///< of each contour, for outline and vector file; may be empty
    std::uint32_t width = 0;                            ///< px, of the image
    std::uint32_t height = 0;
    std::string title;                         ///< of the drawing; UTF-8
    PlaneFacts mask;                           ///< about the mask, see resultFacts(); its tags place a vector file
    std::span<const TraceRow> states;          ///< for the trace, at least one
    std::shared_ptr<const MapCoordinates> map; ///< for the outline; null: px
};

/// Writes one of these files, atomically.
/// @throws Error(writeFailed), errors of snake/contour/contour_files.hpp; Cancelled
void writeContourFile(ContourFile file, const std::filesystem::path& path, const ContourOutput& output,
                      const JobControl& control = {});

} // namespace pollard
