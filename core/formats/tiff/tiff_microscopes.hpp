#pragma once

#include "formats/tiff/tiff_directories.hpp"
#include "io/image_reader.hpp"
#include "io/metadata/stack_places.hpp"

#include <cstdint>

namespace pollard {

/// Number of planes that a MetaMorph stack (STK) states; 0 for other files.
[[nodiscard]] std::uint64_t metaMorphPlanes(const TiffDirectory& first);

/// Adds the facts of a MetaMorph stack: the axis of its planes, z if all have a distance, t if all times differ, else
/// without a meaning; the size of a voxel.
/// @param info.pages planes in the file; sets axes, pages and pixelSize, adds notes
StackPlaces describeMetaMorph(const SourceFile& source, const TiffDirectory& first, ImageInfo& info);

/// Adds the facts of a Zeiss LSM file: axes of the pages, channels with names and colours, the size of a voxel, the
/// interval of times. Nothing if its structure is damaged.
/// @param info.pages directories that are no thumbnails, and info.samples must be set
StackPlaces describeZeiss(const SourceFile& source, const TiffDirectory& first, ImageInfo& info);

} // namespace pollard
