#pragma once

#include "io/image_file.hpp"

#include <string>
#include <tiffio.h>

namespace pollard {

/// ImageDescription of the current directory; empty if there is none.
[[nodiscard]] std::string tiffDescription(TIFF* tiff);

/// Adds what the tags of the current directory say of the picture, beyond its pixels: facts, how pages are counted
/// (ImageInfo::axes, always set if there are several) and pixelSize. Of several sources of a pixel size the first of
/// OME-XML, ImageJ, Aperio, GeoTIFF, resolution tags counts.
/// @param firstDescription ImageDescription of the first directory: OME-XML and ImageJ describe the whole file there
/// @param info pages, carried and, for levels, nothing else is to be known; the size is that of full resolution
void describeTiff(TIFF* tiff, const std::string& firstDescription, ImageInfo& info);

} // namespace pollard
