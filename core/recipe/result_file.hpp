#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "io/image_file.hpp"
#include "io/write/pixel_rows.hpp"
#include "recipe/result_tags.hpp"

#include <cstdint>
#include <filesystem>
#include <span>

namespace pollard {

/// Writes a result of a picture or volume: as NIfTI-1 or NRRD if its name is that of such a file, see isVoxelFile(),
/// else as TIFF with resultOptions(). Files of voxels hold the values that the levels of the source stand for, its
/// voxel size and, if the result has all of its voxels, its orientation.
/// @param source of the first slice
/// @throws Error(invalidArgument) for a picture with pixels without data as NIfTI or NRRD, which cannot mark them;
/// as writeTiff() and writeVoxels()
void writeResult(const std::filesystem::path& path, const Image& image, const ImageInfo& source, ResultValues values,
                 const JobControl& control);

/// Writes pixels that need not be in memory likewise; labels have at least 32 bits.
/// @param deflate whether a TIFF is compressed
void writeResult(const std::filesystem::path& path, const PixelRows& pixels, const ImageInfo& source,
                 ResultValues values, bool deflate, const JobControl& control);

/// Checks before the work that a file of this name can hold a result of the source.
/// @throws Error(invalidArgument) as writeResult()
void requireVoxelFile(const std::filesystem::path& path, const ImageInfo& source);

/// Writes labels or pixel indices of shape (slices, height, width) likewise.
void writeResult32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                   const ImageInfo& source, const JobControl& control);

} // namespace pollard
