#pragma once

#include "base/job_control.hpp"
#include "io/tiff/tiff_writer.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/trace_file.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

class MapCoordinates;

/// What the contours of a picture can be written as.
enum class ContourFile : std::uint8_t {
    outline, ///< GeoJSON
    drawing, ///< SVG
    mask,    ///< TIFF, see maskOfContours()
    region,  ///< of ImageJ
    trace,   ///< CSV of all states
};
inline constexpr std::array kContourFiles{ContourFile::outline, ContourFile::drawing, ContourFile::mask,
                                          ContourFile::region, ContourFile::trace};
/// "geojson", "svg", "mask", "rois", "trace"
[[nodiscard]] std::string_view nameOf(ContourFile file) noexcept;
/// Of the file's name, without the dot: "geojson", "svg", "tif", "zip", "csv".
[[nodiscard]] std::string_view extensionOf(ContourFile file) noexcept;

/// What is written of them.
struct ContourOutput {
    std::vector<Contour> contours; ///< one at least
    std::uint32_t width = 0;       ///< px, of the picture
    std::uint32_t height = 0;
    std::string title;                         ///< of the drawing; UTF-8
    TiffWriteOptions mask;                     ///< how to write the mask, see resultOptions()
    std::span<const TraceRow> states;          ///< of the trace, one at least
    std::shared_ptr<const MapCoordinates> map; ///< of the outline; null: it is in px
};

/// Writes one of these files, whole or not at all.
/// @throws Error(writeFailed), those of snake/contour_files.hpp; Cancelled
void writeContourFile(ContourFile file, const std::filesystem::path& path, const ContourOutput& output,
                      const JobControl& control = {});

} // namespace pollard
