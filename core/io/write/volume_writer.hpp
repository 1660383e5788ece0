#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"
#include "io/write/planes.hpp"

#include <filesystem>

namespace pollard {

/// Whether a name ends as those of the files that writeVoxels() writes: .nii, .nii.gz or .nrrd, in small or capital
/// letters.
[[nodiscard]] bool isVoxelFile(const std::filesystem::path& path);

/// Writes a volume, or a picture as one slice, as NIfTI-1 (.nii; .nii.gz: as gzip) or NRRD (.nrrd, encoding gzip).
/// Samples are the values of the levels: the first of 8-, 16- and 32-bit integers that holds all values that levels can
/// have, if offset and step are whole numbers, else float or, where that would join levels, double. Pixels of 32 bits
/// are labels, which are written as they are. Atomic: on any failure the target is unchanged. (NIfTI-1: nifti1.h of the
/// NIfTI Data Format Working Group; NRRD0004: teem)
/// @param planes one
/// @throws Error(invalidArgument) for another name and for pixels of 64 bits; Error(limitExceeded) for sides above
/// 32,767 in NIfTI-1; Error(writeFailed); exceptions of the plane and its rows; Cancelled
void writeVoxels(const std::filesystem::path& path, const Planes& planes, const JobControl& control = {});

} // namespace pollard
