#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace pollard {

/// "max", "min", "mean", "sharpest".
[[nodiscard]] std::string_view nameOf(Projection projection) noexcept;

/// readImage() with options.projection: reads slices like readVolume(), with one mapping of values, and projects them
/// to one image. Only voxels with data count; a pixel has data if a voxel of its column has data. Shrinking averages
/// pixels of the image. LoadedImage::samples stays unset. The facts have the axes and pages of the file, and the place
/// of the first slice read, or of the sharpest one.
/// @throws Error, Cancelled as readVolume(); a single slice is returned unchanged
[[nodiscard]] LoadedImage readProjection(const std::filesystem::path& path, const ReadOptions& options,
                                         const JobControl& control = {});

} // namespace pollard
