#pragma once

#include "io/image_file.hpp"

#include <tiffio.h>
#include <vector>

namespace pollard {

/// Carried tags of the current directory: resolution and GeoTIFF (with GDAL's metadata and no-data value).
[[nodiscard]] std::vector<CarriedTag> readCarriedTags(TIFF* tiff);

/// Sets tags in the directory being written, except those whose count or type contradicts their data. @returns false if
/// libtiff rejects one
bool writeCarriedTags(TIFF* tiff, const std::vector<CarriedTag>& tags);

} // namespace pollard
