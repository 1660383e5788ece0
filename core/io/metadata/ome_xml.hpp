#pragma once

#include "io/image_file.hpp"
#include "io/metadata/stack_places.hpp"

#include <filesystem>
#include <string_view>

namespace pollard {

/// Whether an ImageDescription is an OME-XML document (root element OME, with any prefix).
[[nodiscard]] bool isOmeXml(std::string_view description);

/// Adds information from OME-XML about the images of a TIFF: pixel size in µm (m if stated in m) with slice distance,
/// axes of the pages (channel, z, t, and p for several images of one size), names, colours and emission wavelengths of
/// the channels, facts. Pages are in the order of the file if the axes give a regular order; else the planes are in
/// DimensionOrder, at the places that the TiffData blocks state, also in other files of the folder, and missing planes
/// have no place. If sizes and pages do not match, axes stay unset, see leaveUnclear(). Never
/// throws on content: a document that is damaged or larger than 64 MiB gives a note. External entities are not read.
/// @param info.pages (directories of the file) and info.samples must be set; sets axes, pages, channels (to be arranged
/// by arrangeChannels()) and pixelSize, adds facts and notes
/// @param described the file, in whose folder other files are searched; empty: no search
StackPlaces describeOmeXml(std::string_view description, ImageInfo& info, const std::filesystem::path& described = {});

} // namespace pollard
