#pragma once

#include "formats/tiff/tiff_stack.hpp"
#include "io/image_file.hpp"

#include <tiffio.h>

namespace pollard {

/// Adds information from the tags of the current directory: facts, axes of the pages (ImageInfo::axes, always set for
/// several pages), channels (to be arranged by arrangeChannels()) and pixelSize. The first source of a pixel size among
/// OME-XML, ImageJ, Aperio, GeoTIFF and resolution tags is used.
/// @param stack of all pages
/// @param info samples and carried must be set; the size is that of full resolution
void describeTiff(TIFF* tiff, const TiffStack& stack, ImageInfo& info);

} // namespace pollard
