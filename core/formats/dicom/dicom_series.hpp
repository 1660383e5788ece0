#pragma once

#include "base/job_control.hpp"
#include "formats/dicom/dicom_header.hpp"
#include "io/image_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Normal of the planes, x cross y, of length 1; nothing if their directions are not stated or meaningless.
[[nodiscard]] std::optional<AxisDirection> normalOf(const DicomHeader& header);

/// Coordinate of a position along a normal, in mm.
[[nodiscard]] double placeAlong(const AxisDirection& normal, const AxisDirection& position) noexcept;

/// Whether two coordinates in mm are equal except for rounding.
[[nodiscard]] bool isSamePlace(double one, double other) noexcept;

/// Distance between neighbouring slices.
struct SliceDistance {
    double distance = 0; ///< the median, in mm
    std::string note;    ///< on missing slices and unequal distances; empty if all are equal
};

/// @param places ascending, at least two
[[nodiscard]] SliceDistance distanceOf(std::span<const double> places);

/// The pages of a file with several frames.
struct FrameStack {
    /// Frame of each page; empty: as stored.
    std::vector<std::uint32_t> order;
    std::vector<std::pair<char, std::uint64_t>> axes; ///< as in VolumeLayout
    SliceDistance distance;                           ///< 0: unknown
    std::optional<AxisDirection> step = {};           ///< between slices, in left-posterior-superior
};

/// Sorts frames by their coordinates on the normal into slices; frames at one place are times, in stored order. Frames
/// without positions are slices, or times if the file states frame times. Tiles and frames in different planes are
/// pages without a meaning.
[[nodiscard]] FrameStack stackOf(const DicomHeader& header);

/// The step from slice to slice in left-posterior-superior. With a tilted gantry it is not along the normal.
/// @param first,last positions of the first pixels of the first and the last slice
/// @param distance between slices along the normal @param span between first and last along the normal
[[nodiscard]] AxisDirection stepOf(const AxisDirection& first, const AxisDirection& last, double distance, double span);

/// Position and axes of the voxels; nothing if the header does not state them.
/// @param position of the first voxel
/// @param step between slices; none: along the normal, by the distance in the header
[[nodiscard]] std::optional<VoxelPlace> placeOf(const DicomHeader& header, const std::optional<AxisDirection>& position,
                                                const std::optional<AxisDirection>& step);

/// Facts on the axes. @param position of the first voxel @param normal along which slices ascend, if there are several
[[nodiscard]] std::vector<std::pair<std::string, std::string>> axisFacts(const DicomHeader& header,
                                                                         const std::optional<AxisDirection>& position,
                                                                         const std::optional<AxisDirection>& normal);

/// The slices of the series with the most slices, sorted along the normal of their planes, or by their numbers if
/// positions are not stated. Takes the first of several images at one place. Notes name images that are left out,
/// missing slices and unequal distances. A file with several frames is a series of its own.
/// @throws Error(formatUnsupported) if no file has an image; Error for damaged files
[[nodiscard]] std::optional<SliceFiles> arrangedDicomSlices(std::span<const std::filesystem::path> files);

/// See ImageReader::seriesOf().
[[nodiscard]] std::optional<SliceFiles> dicomSeriesOf(const SourceFile& source);

/// A series in a folder, as dicomSeriesOf() finds it for one of its files.
struct DicomSeries {
    std::filesystem::path file; ///< one of the files, which represents the series
    std::string name;           ///< "series 4 (CT)"
    std::string description;    ///< as the file states it; may be empty
    std::size_t files = 0;
    std::uint64_t width = 0; ///< px
    std::uint64_t height = 0;
    std::uint64_t slices = 0; ///< files or, of one file, frames
    std::uint64_t bytes = 0;  ///< of the files
};

/// All series in these files, sorted by folder and number. Skips damaged files and files without a DICOM image.
/// @throws Cancelled
[[nodiscard]] std::vector<DicomSeries> dicomSeriesAmong(std::span<const std::filesystem::path> files,
                                                        const JobControl& control = {});

} // namespace pollard
