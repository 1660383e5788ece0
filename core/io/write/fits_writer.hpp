#pragma once

#include "base/job_control.hpp"
#include "io/write/planes.hpp"

#include <filesystem>

namespace pollard {

/// Whether a name ends as that of a file that writeFits() writes: .fits, .fit or .fts.
[[nodiscard]] bool isFitsFile(const std::filesystem::path& path);

/// Writes an image or volume as the primary image of FITS 4.0, the last row first: BITPIX of the samples, unsigned
/// and signed bytes by BZERO, offset and step in BZERO and BSCALE, the unit in BUNIT, the sample of pixels without data
/// in BLANK, or as NaN, and the world coordinates of a source in FITS. Atomic: on any failure the target is unchanged.
/// @param planes one
/// @throws Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeFits(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
