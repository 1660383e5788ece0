#include "io/write/name_ending.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pollard {

namespace {

constexpr std::array<std::string_view, 69> kKnown{
    // images
    ".tif", ".tiff", ".png", ".jpg", ".jpeg", ".jp2", ".j2k", ".gif", ".bmp", ".webp", ".pgm", ".ppm", ".pbm", ".pnm",
    ".pfm", ".fits", ".fit", ".fts", ".dcm", ".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha", ".mhd", ".zarr", ".vrt",
    ".img", ".asc", ".nc", ".exr", ".czi", ".lif", ".svs", ".psd", ".heic",
    // vector files
    ".gpkg", ".fgb", ".shp", ".kml", ".kmz", ".geojson", ".json", ".gml", ".sqlite", ".gpx", ".dxf", ".svg", ".pdf",
    ".wkt", ".tab", ".mif", ".topojson",
    // tables and arrays
    ".csv", ".tsv", ".xls", ".xlsx", ".ods", ".npy", ".npz", ".h5", ".hdf5", ".mat", ".parquet", ".xml", ".html",
    // others
    ".roi", ".zip", ".dot"};

} // namespace

std::string knownEnding(const std::filesystem::path& path) {
    const std::string name = lowered(path.filename().string());
    std::string_view found;
    for (const std::string_view ending : kKnown) {
        if (name.size() > ending.size() && name.ends_with(ending) && ending.size() > found.size()) {
            found = ending;
        }
    }
    return std::string(found);
}

std::string endingList(std::span<const std::string_view> endings) {
    std::string list;
    for (std::size_t i = 0; i < endings.size(); ++i) {
        list += i == 0 ? "" : i + 1 == endings.size() ? " or " : ", ";
        list += endings[i];
    }
    return list;
}

std::string endingProblem(const std::filesystem::path& path, std::span<const std::string_view> written) {
    const std::string ending = knownEnding(path);
    const auto isWritten = [&](std::string_view one) { return std::ranges::find(written, one) != written.end(); };
    if (ending.empty() || isWritten(ending) || (ending == ".json" && isWritten(".geojson"))) {
        return {};
    }
    return "'" + path.string() + "': " + ending + " is the ending of another format; the name must end in " +
           endingList(written);
}

} // namespace pollard
