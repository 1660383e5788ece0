#pragma once

#include "io/image_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Whether an ImageDescription was written by ImageJ ("ImageJ=1.53t" at its start).
[[nodiscard]] bool isImageJ(std::string_view description);

/// Adds what ImageJ says of a TIFF: how pages are counted (channels, then slices, then frames; not at all if no count
/// is there), the distance in z and, together with the resolution tags, the pixel size in µm, arcsec or °.
/// @param xResolution,yResolution pixels per unit; 0 if the file does not say
/// @param info.pages is to be known; axes and pixelSize are set, facts and notes added
void describeImageJ(std::string_view description, double xResolution, double yResolution, ImageInfo& info);

/// Gives the channels of info.axes their names, if the labels of the pages (see imageJLabels()) are the same for all
/// pages of a channel.
void nameImageJChannels(const std::vector<std::string>& labels, ImageInfo& info);

/// Labels of the slices in ImageJ's own tags, as UTF-8: the block IJMetadata (tag 50839) in the byte order of the file
/// and the sizes of its parts (tag 50838). Empty if there are none or the block is damaged.
[[nodiscard]] std::vector<std::string> imageJLabels(std::span<const std::uint8_t> block,
                                                    std::span<const std::uint32_t> sizes, bool bigEndian);

} // namespace pollard
