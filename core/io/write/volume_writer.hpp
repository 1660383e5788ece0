#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"

#include <filesystem>

namespace pollard {

/// Whether a name ends in .nii, .nii.gz, .nrrd or .mha, in small or capital letters; writeVoxels() writes these files.
[[nodiscard]] bool isVoxelFile(const std::filesystem::path& path);

/// Writes a volume, or an image as one slice, as NIfTI-1 (.nii; .nii.gz: as gzip), NRRD (.nrrd, encoding gzip) or
/// MetaImage (.mha, not compressed). Samples are written unchanged, with offset and step; NRRD cannot state them,
/// and NIfTI only as floats; otherwise samples are converted to values, see inValues(). Floating-point samples without
/// data become NaN. Atomic: on any failure the target is unchanged. (NIfTI-1: nifti1.h of the NIfTI Data Format Working
/// Group; NRRD0004: teem; MetaImage: MetaIO of ITK)
/// @param planes one
/// @throws Error(invalidArgument) for another name; Error(limitExceeded) for sides above 32,767 in NIfTI-1;
/// Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeVoxels(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

/// Whether a name ends in .fits, .fit or .fts, the endings that writeFits() writes.
[[nodiscard]] bool isFitsFile(const std::filesystem::path& path);

/// Writes an image or volume as the primary image of FITS 4.0, the last row first: BITPIX of the samples, unsigned
/// and signed bytes by BZERO, offset and step in BZERO and BSCALE, the unit in BUNIT, the sample of pixels without data
/// in BLANK, or as NaN, and the world coordinates of a source in FITS. Atomic: on any failure the target is unchanged.
/// @param planes one
/// @throws Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeFits(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
