#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"

#include <filesystem>

namespace pollard {

/// Whether a name ends as those of the files that writeVoxels() writes: .nii, .nii.gz, .nrrd or .mha, in small or
/// capital letters.
[[nodiscard]] bool isVoxelFile(const std::filesystem::path& path);

/// Writes a volume, or an image as one slice, as NIfTI-1 (.nii; .nii.gz: as gzip), NRRD (.nrrd, encoding gzip) or
/// MetaImage (.mha, not compressed). Samples are written as they are, with offset and step; NRRD has none, and NIfTI
/// only those that are floats: there samples become values, see inValues(). Floating-point samples without data become
/// NaN. Atomic: on any failure the target is unchanged. (NIfTI-1: nifti1.h of the NIfTI Data Format Working Group;
/// NRRD0004: teem; MetaImage: MetaIO of ITK)
/// @param planes one
/// @throws Error(invalidArgument) for another name; Error(limitExceeded) for sides above 32,767 in NIfTI-1;
/// Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeVoxels(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
