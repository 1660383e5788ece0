#pragma once

#include "base/job_control.hpp"
#include "io/image_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// The slices of the series with the most slices, sorted by their places along the normal of their planes, or by their
/// numbers if places are not stated. Of several images at one place the first is taken. Notes state the images that
/// are left out, missing slices and unequal distances. A file of several frames is a series of its own.
/// @throws Error(formatUnsupported) if no file has an image; Error for damaged files
[[nodiscard]] std::optional<SliceFiles> arrangedDicomSlices(std::span<const std::filesystem::path> files);

/// As ImageReader::seriesOf().
[[nodiscard]] std::optional<SliceFiles> dicomSeriesOf(const SourceFile& source);

/// A series of a folder, as seriesOf() of one of its files finds it.
struct DicomSeries {
    std::filesystem::path file; ///< one of its files, which stands for it
    std::string name;           ///< "series 4 (CT)"
    std::string description;    ///< as the file states it; may be empty
    std::size_t files = 0;
    std::uint64_t width = 0; ///< px
    std::uint64_t height = 0;
    std::uint64_t slices = 0; ///< files or, of one file, frames
    std::uint64_t bytes = 0;  ///< of the files
};

/// All series of these files, sorted by folder and number. Files that are no DICOM images, or that are damaged, are
/// left out. @throws Cancelled
[[nodiscard]] std::vector<DicomSeries> dicomSeriesAmong(std::span<const std::filesystem::path> files,
                                                        const JobControl& control = {});

} // namespace pollard
