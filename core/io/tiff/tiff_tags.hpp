#pragma once

#include "io/image_file.hpp"

#include <tiffio.h>
#include <vector>

namespace pollard {

/// Tags of the current directory that describe the place and size of the picture in the world: resolution
/// and GeoTIFF (with GDAL's metadata and no-data value).
[[nodiscard]] std::vector<CarriedTag> readCarriedTags(TIFF* tiff);

/// Sets the tags in the directory that is being written. A tag whose count or type contradicts its data is
/// left out. @returns false if libtiff refused one
bool writeCarriedTags(TIFF* tiff, const std::vector<CarriedTag>& tags);

} // namespace pollard
