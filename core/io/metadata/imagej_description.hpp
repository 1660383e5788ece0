#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Whether an ImageDescription is ImageJ's ("ImageJ=1.53t" at its start).
[[nodiscard]] bool isImageJ(std::string_view description);

/// Adds the information in ImageJ's text: axes of the pages (channels, then slices, then frames; none without a count),
/// slice distance and, with the resolution tags, the pixel size in µm, arcsec or °.
/// @param xResolution,yResolution pixels per unit; 0 if unknown
/// @param info.pages must be set; sets axes and pixelSize, adds facts and notes
void describeImageJ(std::string_view description, double xResolution, double yResolution, ImageInfo& info);

/// Names the channels of info.axes if the page labels (see imageJLabels()) are equal for all pages of a channel.
void nameImageJChannels(const std::vector<std::string>& labels, ImageInfo& info);

/// Slice labels in ImageJ's tags, as UTF-8: the block IJMetadata (tag 50839) in the byte order of the file and the
/// sizes of its parts (tag 50838). Empty if missing or damaged.
[[nodiscard]] std::vector<std::string> imageJLabels(std::span<const std::uint8_t> block,
                                                    std::span<const std::uint32_t> sizes, bool bigEndian);

} // namespace pollard
