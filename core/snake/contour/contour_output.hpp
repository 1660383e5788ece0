#pragma once

#include "base/job_control.hpp"
#include "components/objects/object_features.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"
#include "io/write/text_file.hpp"
#include "snake/contour/contour.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/region_law.hpp"
#include "snake/snake_run.hpp"

#include <array>
#include <cstddef>
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

/// Page and contour of a state, for traces of several pages or contours.
struct TraceKey {
    std::optional<int> page;              ///< 0-based
    std::optional<std::uint32_t> contour; ///< 1-based
    std::string_view axis = "page";       ///< of `page`: the title of its column

    bool operator==(const TraceKey&) const = default;
};

/// Record of a state in a trace, without its nodes.
struct TraceRow {
    TraceKey key;
    std::uint32_t round = 0;
    SnakeStep kind = SnakeStep::start;
    std::uint32_t reach = 0; ///< px
    std::size_t nodes = 0;
    double energy = 0;
    RegionSums inside;
    RegionSums outside;
    std::optional<ValueMapping> values = {}; ///< of the levels, which are not ranks

    [[nodiscard]] static TraceRow of(const SnakeState& state, const TraceKey& key = {},
                                     const std::optional<ValueMapping>& values = {});
};

/// CSV table with a line per state: change, kind, step in px, nodes, energy; number, mean and variance of the pixels
/// inside; mean and variance of the pixels outside. The file appears at commit().
class TraceFile {
public:
    /// @param first key of the first state; its members that are set become the first columns
    /// @throws Error(writeFailed)
    explicit TraceFile(const std::filesystem::path& path, const TraceKey& first = {});

    /// @param key sets the same members as the first key
    /// @throws Error(writeFailed), Cancelled
    /// @param values of the levels, which are no ranks
    void add(const SnakeState& state, const TraceKey& key = {}, const JobControl& control = {},
             const std::optional<ValueMapping>& values = {}) {
        add(TraceRow::of(state, key, values), control);
    }
    void add(const TraceRow& row, const JobControl& control = {});
    /// @throws Error(writeFailed)
    void commit() { file_.commit(); }

private:
    TextFile file_;
};

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

/// The unit of contours in files: a unit in which lengths of the image are easy to read, or px if the size of a pixel
/// is unknown.
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
