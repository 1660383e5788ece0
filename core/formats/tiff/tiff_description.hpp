#pragma once

#include "formats/tiff/tiff_stack.hpp"
#include "io/image_file.hpp"

#include <cstdint>
#include <string>
#include <tiffio.h>

namespace pollard {

/// Adds facts, axes of the pages (ImageInfo::axes, always set for several pages), channels and pixelSize from the tags
/// of the current directory. Call arrangeChannels() afterwards. The pixel size comes from the first source of OME-XML,
/// ImageJ, Aperio, GeoTIFF and the resolution tags.
/// @param stack of all pages
/// @param info samples and carried must be set; the size is at full resolution
void describeTiff(TIFF* tiff, const TiffStack& stack, ImageInfo& info);

/// PhotometricInterpretation of DNG that libtiff has no name for.
inline constexpr std::uint16_t kLinearRawPhotometric = 34892;

/// Names for display; unknown numbers become "compression 12345" and so on.
[[nodiscard]] std::string tiffCompressionName(std::uint16_t compression);
[[nodiscard]] std::string tiffPhotometricName(std::uint16_t photometric);
[[nodiscard]] std::string tiffSampleFormatName(std::uint16_t sampleFormat);

} // namespace pollard
