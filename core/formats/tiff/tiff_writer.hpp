#pragma once

#include "base/job_control.hpp"
#include "formats/tiff/tiff_tags.hpp"
#include "io/write/planes.hpp"

#include <filesystem>

namespace pollard {

/// How planes are stored in a TIFF.
struct TiffWriteOptions {
    TiffCompression compression = TiffCompression::deflate;
    SampleLayout samples = {}; ///< of a page: plane i is sample i % samples.samples of page i / samples.samples
    /// The planes are pages that may differ in size and type; a single page also gets a page number.
    bool arePages = false;
};

/// Writes planes as the samples of pages, the slices of a volume as pages. BigTIFF if the first page times the number
/// of pages exceeds 4 GB minus a margin. Uses the carried tags of the first plane of each page and the scene of the
/// first plane. The largest value of its pixels, if known, is the end of the displayed range. Interleaved planes of a
/// page are in memory together.
///
/// Atomic: writes a temporary file in the same folder, which replaces the target at the end; on any failure the target
/// is unchanged.
/// @throws Error(invalidArgument) for no planes, or if they do not fill the pages or differ in size or type;
/// Error(writeFailed); exceptions of planes and their rows; Cancelled
void writeTiff(const std::filesystem::path& path, const Planes& planes, const TiffWriteOptions& options = {},
               const JobControl& control = {});

} // namespace pollard
