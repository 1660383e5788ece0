#pragma once

#include "io/image_reader.hpp"

#include <filesystem>
#include <vector>

namespace pollard {

/// The tags of a GeoTIFF for the place that GDAL finds in an image and in the files beside it, with its no-data value.
/// Empty if GDAL does not read the image.
/// @param system file with the coordinate system, if GDAL finds none; empty: none
/// @throws Error for a file beside the image that is refused
[[nodiscard]] std::vector<CopiedTag> gdalPlace(const SourceFile& source, const std::filesystem::path& system);

} // namespace pollard
