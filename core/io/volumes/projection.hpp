#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace pollard {

/// "max", "min", "mean", "sharpest".
[[nodiscard]] std::string_view nameOf(Projection projection) noexcept;

/// readImage() with options.projection: reads the slices as readVolume() does, by one mapping of values, and makes one
/// picture of them. Of each column of voxels only those with data count, and a pixel has data if any of them has.
/// Shrinking averages the pixels of the picture. LoadedImage::samples stays unset. Axes and pages of the facts are
/// those of the file, and the place is that of the first slice read, or of the sharpest one.
/// @throws Error, Cancelled as readVolume(); one slice is a picture as it is
[[nodiscard]] LoadedImage readProjection(const std::filesystem::path& path, const ReadOptions& options,
                                         const JobControl& control = {});

} // namespace pollard
