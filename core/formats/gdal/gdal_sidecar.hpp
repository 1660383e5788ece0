#pragma once

#include "io/image_reader.hpp"

#include <filesystem>
#include <vector>

namespace pollard {

/// The tags of a GeoTIFF for the place that GDAL finds in a picture and in the files beside it, with its no-data value.
/// Empty if GDAL does not read the picture.
/// @param system file with the coordinate system, if GDAL finds none; empty: none
/// @throws Error for a file beside the picture that is refused
[[nodiscard]] std::vector<CarriedTag> gdalPlace(const SourceFile& source, const std::filesystem::path& system);

} // namespace pollard
