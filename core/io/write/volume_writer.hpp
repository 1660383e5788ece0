#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/volumes/voxel_axes.hpp"
#include "io/write/pixel_rows.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace pollard {

/// Where voxels lie in a patient. x ascends to the right, y to anterior, z to superior; lengths are in the unit of the
/// voxel size.
struct VoxelOrientation {
    std::array<AxisDirection, 3> directions{}; ///< of x, y and z; unit vectors along axes of the space
    std::array<double, 3> origin{};            ///< centre of the first voxel
    int code = 1;                              ///< of NIfTI: 1 scanner, 2 aligned to another volume ...
};

/// The orientation by the facts of a NIfTI, NRRD, MetaImage or DICOM file; nothing if it is not stated in full, or if
/// the axes are oblique, whose directions the facts do not tell.
[[nodiscard]] std::optional<VoxelOrientation> orientationOf(const ImageInfo& info);

/// Facts for the header of a file of voxels.
struct VoxelFacts {
    double offset = 0; ///< value = offset + step * level
    double step = 1;
    std::optional<PixelSize> size = {}; ///< of a length; others are left out
    /// Left out without a voxel size with z.
    std::optional<VoxelOrientation> orientation = {};
};

/// Whether a name ends as those of the files that writeVoxels() writes: .nii, .nii.gz or .nrrd, in small or capital
/// letters.
[[nodiscard]] bool isVoxelFile(const std::filesystem::path& path);

/// Writes a volume, or a picture as one slice, as NIfTI-1 (.nii; .nii.gz: as gzip) or NRRD (.nrrd, encoding gzip).
/// Samples are the values of the levels: the first of 8-, 16- and 32-bit integers that holds all values that levels can
/// have, if offset and step are whole numbers, else float or, where that would join levels, double. Atomic: on any
/// failure the target is unchanged. (NIfTI-1: nifti1.h of the NIfTI Data Format Working Group; NRRD0004: teem)
/// @throws Error(invalidArgument) for another name; Error(limitExceeded) for sides above 32,767 in NIfTI-1;
/// Error(writeFailed); Cancelled
void writeVoxels(const std::filesystem::path& path, const Image& image, const VoxelFacts& facts = {},
                 const JobControl& control = {});

/// Writes voxels that need not be in memory as writeVoxels(), those of 32 bits as writeVoxels32().
/// @throws as writeVoxels(); Error(invalidArgument) for 64 bits; exceptions of rows.read
void writeVoxels(const std::filesystem::path& path, const PixelRows& rows, const VoxelFacts& facts = {},
                 const JobControl& control = {});

/// Writes 32-bit unsigned values of shape (slices, height, width), such as labels; offset and step do not count.
/// @throws as writeVoxels(); Error(invalidArgument) if there is not one value a pixel
void writeVoxels32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                   const VoxelFacts& facts = {}, const JobControl& control = {});

} // namespace pollard
