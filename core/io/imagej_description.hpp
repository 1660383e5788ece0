#pragma once

#include "io/image_file.hpp"

#include <string_view>

namespace pollard {

/// Whether an ImageDescription was written by ImageJ ("ImageJ=1.53t" at its start).
[[nodiscard]] bool isImageJ(std::string_view description);

/// Adds what ImageJ says of a TIFF: how pages are counted (channels, then slices, then frames), the distance in z and,
/// together with the resolution tags, the pixel size in µm.
/// @param xResolution,yResolution pixels per unit; 0 if the file does not say
/// @param info.pages is to be known; axes and pixelSize are set, facts and notes added
void describeImageJ(std::string_view description, double xResolution, double yResolution, ImageInfo& info);

} // namespace pollard
