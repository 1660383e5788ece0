#include "snake/contour/contour_output.hpp"

#include "formats/tiff/tiff_writer.hpp"
#include "snake/contour/contour_files.hpp"
#include "snake/contour/contour_mask.hpp"

#include <cstddef>

namespace pollard {

namespace {

std::vector<FiledContour> filed(const std::vector<Contour>& contours) {
    std::vector<FiledContour> all;
    all.reserve(contours.size());
    for (const Contour& nodes : contours) {
        all.push_back({nodes, static_cast<std::uint32_t>(all.size() + 1), {}});
    }
    return all;
}

} // namespace

std::string_view nameOf(ContourFile file) noexcept {
    constexpr std::array<std::string_view, kContourFiles.size()> kNames{"geojson", "svg",   "mask",
                                                                        "rois",    "trace", "gpkg"};
    return kNames[static_cast<std::size_t>(file)];
}

std::string_view extensionOf(ContourFile file) noexcept {
    constexpr std::array<std::string_view, kContourFiles.size()> kExtensions{"geojson", "svg", "tif",
                                                                             "zip",     "csv", "gpkg"};
    return kExtensions[static_cast<std::size_t>(file)];
}

void writeContourFile(ContourFile file, const std::filesystem::path& path, const ContourOutput& output,
                      const JobControl& control) {
    switch (file) {
    case ContourFile::outline:
        writeContourGeojson(path, filed(output.contours), control, output.map.get());
        break;
    case ContourFile::drawing:
        writeContourSvg(path, filed(output.contours), output.width, output.height, output.title, control);
        break;
    case ContourFile::mask:
        writeTiff(path,
                  {measuredRowsOf(maskOfContours(output.contours, output.width, output.height, control)), output.mask},
                  {}, control);
        break;
    case ContourFile::region:
        writeContourRois(path, filed(output.contours), control);
        break;
    case ContourFile::vector:
        writeContourVector(path, filed(output.contours), output.mask.carried, control);
        break;
    case ContourFile::trace: {
        TraceFile trace(path, output.states.front().key);
        for (const TraceRow& row : output.states) {
            trace.add(row, control);
        }
        trace.commit();
        break;
    }
    }
}

} // namespace pollard
