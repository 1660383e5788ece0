#pragma once

#include "io/image_file.hpp"

#include <string>
#include <tiffio.h>
#include <vector>

namespace pollard {

/// The statements of the first directory on all pages.
struct TiffStackTexts {
    std::string description;         ///< ImageDescription: OME-XML and ImageJ describe the whole file there
    std::vector<std::string> labels; ///< that ImageJ gives the pages; empty if there are none
};

/// Those of the current directory.
[[nodiscard]] TiffStackTexts tiffStackTexts(TIFF* tiff);

/// Adds what the tags of the current directory say of the picture, beyond its pixels: facts, how pages are counted
/// (ImageInfo::axes, always set if there are several) and pixelSize. Of several sources of a pixel size the first of
/// OME-XML, ImageJ, Aperio, GeoTIFF, resolution tags counts.
/// @param first of the first directory
/// @param info pages, carried and, for levels, nothing else is to be known; the size is that of full resolution
void describeTiff(TIFF* tiff, const TiffStackTexts& first, ImageInfo& info);

} // namespace pollard
