#pragma once

#include "io/image_file.hpp"
#include "io/metadata/imagej_description.hpp"

#include <string>
#include <tiffio.h>

namespace pollard {

/// Texts of the first directory about all pages.
struct TiffStackTexts {
    std::string description; ///< ImageDescription, in which OME-XML and ImageJ describe the whole file
    ImageJMetadata imageJ;
};

/// Texts of the current directory.
[[nodiscard]] TiffStackTexts tiffStackTexts(TIFF* tiff);

/// Adds information from the tags of the current directory: facts, axes of the pages (ImageInfo::axes, always set for
/// several pages), channels (to be arranged by arrangeChannels()) and pixelSize. The first source of a pixel size among
/// OME-XML, ImageJ, Aperio, GeoTIFF and resolution tags is used.
/// @param first texts of the first directory
/// @param info pages, samples and carried must be set; the size is that of full resolution
void describeTiff(TIFF* tiff, const TiffStackTexts& first, ImageInfo& info);

} // namespace pollard
