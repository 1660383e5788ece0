#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"

#include <filesystem>
#include <vector>

namespace pollard {

/// Pages that are the slices of a volume: page first + z * stride is slice z.
struct SlicePages {
    int first = 0;
    int stride = 1;
    int count = 1;
};

/// The pages along the axis z, at the position of info.page on the other axes; all pages if these have no meaning.
/// One page if there is no such axis.
[[nodiscard]] SlicePages slicePages(const ImageInfo& info);

/// Whether the file says that pages are slices: several pages along z.
[[nodiscard]] bool statesVolume(const ImageInfo& info) noexcept;

/// Sides of a voxel in units of its width; 1 where the size is unknown.
[[nodiscard]] VoxelSides voxelSides(const std::optional<PixelSize>& size) noexcept;

/// Reads a volume: all slices that contain options.page, which have one size and type. Values that are mapped to levels
/// have one mapping for all slices; the automatic range and the range from minimum to maximum are those of the volume,
/// and read the file again if those of the slices differ.
/// @returns the volume with the facts about its first slice
/// @throws Error as readImage(); Error(invalidArgument) for a file of one slice, a range of percentiles and shrinking;
/// Error(formatUnsupported) for slices that differ or have pixels without data; Error(limitExceeded); Cancelled
[[nodiscard]] LoadedImage readVolume(const std::filesystem::path& path, const ReadOptions& options = {},
                                     const JobControl& control = {});

/// Reads pictures as the slices of a volume, each the page of @p options of its file.
/// @throws as the other readVolume()
[[nodiscard]] LoadedImage readVolume(const std::vector<std::filesystem::path>& files, const ReadOptions& options = {},
                                     const JobControl& control = {});

} // namespace pollard
