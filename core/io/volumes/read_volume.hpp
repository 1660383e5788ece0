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

/// The pages along an axis, at the position of info.page on the other axes; one page if the file has no such axis.
[[nodiscard]] SlicePages pagesAlong(const ImageInfo& info, char axis);

/// Whether the file says that pages are slices: several pages along z.
[[nodiscard]] bool statesVolume(const ImageInfo& info) noexcept;

/// Sides of a voxel in units of its width; 1 where they are unknown.
/// @param spacing in an unknown unit, without a size of the scene
[[nodiscard]] VoxelSides voxelSides(const std::optional<PixelSize>& size,
                                    const std::optional<VoxelSides>& spacing = {}) noexcept;

/// Reads a volume: the slices that contain options.page, or options.slices of them, which have one size and type.
/// Values that are mapped to levels have one mapping for all slices read, by the values of all, which takes passes
/// over the files as collectValues() does. Slices whose samples have different slopes are mapped by their values, as
/// 64-bit floats. Files whose pages have one range, see VolumePage, have that of all pages. Shrinking makes blocks of
/// options.shrink voxels along each axis one, VolumeAssembly, in the memory of the result and of a few slices. With
/// options.series a file of a series stands for the volume of its files, see seriesOf().
/// @returns the volume with the facts about the first slice read; invalidPixels and the counts of the mapping are of
/// all
/// @throws Error as readImage(); Error(invalidArgument) for a file or a part of one slice, slices that do not exist,
/// and shrinking to one slice; Error(formatUnsupported) for slices that differ; Error(limitExceeded); Cancelled
[[nodiscard]] LoadedImage readVolume(const std::filesystem::path& path, const ReadOptions& options = {},
                                     const JobControl& control = {});

/// The files of a series to which a file belongs, in its folder, for formats that state series; empty for others and
/// for a file that is alone. @throws Error as readImageInfo()
[[nodiscard]] std::vector<std::filesystem::path> seriesOf(const std::filesystem::path& path);

/// Reads images as the slices of a volume, each the page of @p options of its file. Slices of formats that state
/// their places are sorted by them; of several series the one with the most slices is read, with a note. Of one file,
/// as the other readVolume().
/// @throws as the other readVolume()
[[nodiscard]] LoadedImage readVolume(const std::vector<std::filesystem::path>& files, const ReadOptions& options = {},
                                     const JobControl& control = {});

} // namespace pollard
