#pragma once

#include "base/job_control.hpp"
#include "io/image_file.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace pollard {

/// The pages of a volume: slice z is page first + z * stride.
struct SlicePages {
    int first = 0;
    int stride = 1;
    int count = 1;
};

/// The pages along the axis z, at the position of info.page on the other axes; all pages if the axis of the pages has
/// no meaning. One page if there is no axis z.
[[nodiscard]] SlicePages slicePages(const ImageInfo& info);

/// The pages along an axis, at the position of info.page on the other axes; one page if the file has no such axis.
[[nodiscard]] SlicePages pagesAlong(const ImageInfo& info, char axis);

/// Whether the file says that pages are slices: several pages along z.
[[nodiscard]] bool statesVolume(const ImageInfo& info) noexcept;

/// Sides of a voxel in units of its width; 1 if unknown.
/// @param spacing in an unknown unit, without a size of the scene
[[nodiscard]] VoxelSides voxelSides(const std::optional<PixelSize>& size,
                                    const std::optional<VoxelSides>& spacing = {}) noexcept;

/// Reads a volume: the slices along z with options.page, or the part options.slices of these. Slices must have the same
/// size and type. Values get one mapping that follows from all slices read, which takes passes over the files, see
/// collectValues(). Slices with different slopes are mapped by their values as 64-bit floats. Files whose pages share a
/// range, see VolumePage, get the range of all pages. Shrinking averages blocks of options.shrink voxels along each
/// axis, see VolumeAssembly, in memory for the result and a few slices. With options.series, a file of a series stands
/// for the volume of all files, see seriesOf().
/// @returns the volume with facts about the first slice read; invalidPixels and the counts of the mapping describe all
/// slices
/// @throws Error as readImage(); Error(invalidArgument) for a file or a part of one slice, slices that do not exist,
/// and shrinking to one slice; Error(formatUnsupported) for slices that differ; Error(limitExceeded); Cancelled
[[nodiscard]] LoadedImage readVolume(const std::filesystem::path& path, const ReadOptions& options = {},
                                     const JobControl& control = {});

/// The files in the folder that belong to the same series as a file; empty for formats without series and for a series
/// of one file. @throws Error as readImageInfo()
[[nodiscard]] std::vector<std::filesystem::path> seriesOf(const std::filesystem::path& path);

/// Reads the same page of several files as the slices of a volume. Sorts slices by position if the format states it; of
/// several series reads the one with the most slices and adds a note. One file is read like by the other readVolume().
/// @throws as the other readVolume()
[[nodiscard]] LoadedImage readVolume(const std::vector<std::filesystem::path>& files, const ReadOptions& options = {},
                                     const JobControl& control = {});

} // namespace pollard
