#pragma once

#include "io/image_file.hpp"

#include <string_view>

namespace pollard {

/// Whether an ImageDescription is an OME-XML document (root element OME, with any prefix).
[[nodiscard]] bool isOmeXml(std::string_view description);

/// Adds the OME-XML information on the first image of a TIFF: pixel size in µm (m if stated in m) with slice distance,
/// axes of the pages (channel, z, t; in DimensionOrder, or in the order of the TiffData blocks if that is another
/// regular one), names, colours and emission wavelengths of the channels, facts. If sizes and pages do not match, axes
/// stay unset and a note is added. Never throws on content: a document that is damaged or larger than 64 MiB gives a
/// note. External entities are not read.
/// @param info.pages and info.samples must be set; sets axes, channels (to be arranged by arrangeChannels()) and
/// pixelSize, adds facts and notes
void describeOmeXml(std::string_view description, ImageInfo& info);

} // namespace pollard
