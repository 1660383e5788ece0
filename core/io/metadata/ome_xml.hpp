#pragma once

#include "io/image_file.hpp"

#include <string_view>

namespace pollard {

/// Whether an ImageDescription is an OME-XML document (the root element is OME, with any prefix).
[[nodiscard]] bool isOmeXml(std::string_view description);

/// Adds what the OME-XML of a TIFF says of its first image: pixel size in µm (m if it says m) with the distance in z,
/// how pages are counted (channel, z, t; taken from DimensionOrder, or from the order of the TiffData blocks if that is
/// another regular one), names of channels, facts. Where sizes and pages do not fit together, pages stay without
/// meaning and a note says so. Never fails: a document that is damaged or larger than 64 MiB gives a note. External
/// entities are not read.
/// @param info.pages is to be known; axes and pixelSize are set, facts and notes added
void describeOmeXml(std::string_view description, ImageInfo& info);

} // namespace pollard
