#pragma once

#include "image/pixel_region.hpp"
#include "io/image_file.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace pollard {

/// Whether the tags state the place of the image on a map.
[[nodiscard]] bool hasPlace(const std::vector<CopiedTag>& tags);

/// Tags for a reduced part of the tagged image, whose pixel (i, j) covers scaleX x scaleY pixels from (region.x + i *
/// scaleX, region.y + j * scaleY). Pixels keep their position in the world: tie points, ModelPixelScale,
/// ModelTransformation (for pixels as areas and as points), RPC coefficients and X/YResolution are adjusted; others are
/// kept, e.g. coordinate system, no-data value and GDAL metadata. A single tie point keeps its pixel and changes its
/// position; control points keep their position. Only the corner of @p region matters. Tags of an unexpected type or
/// count are kept.
/// @param scaleX,scaleY px of the tagged image per px of the result, > 0
[[nodiscard]] std::vector<CopiedTag> cropTags(std::vector<CopiedTag> tags, const PixelRegion& region, double scaleX,
                                              double scaleY);
[[nodiscard]] inline std::vector<CopiedTag> cropTags(std::vector<CopiedTag> tags, const PixelRegion& region,
                                                     double scale) {
    return cropTags(std::move(tags), region, scale, scale);
}

/// Adds facts from GeoTIFF and GDAL tags (coordinate system, position of the corner, pixel size, no-data value) and
/// sets ImageInfo::pixelSize in m or degrees if it is unset. Reads info.carried.
void describeGeoTags(ImageInfo& info);

/// The stored value of pixels without data that a fact states; the carried tags have it only if it is a level.
[[nodiscard]] std::optional<double> statedNoData(const ImageInfo& info);

} // namespace pollard
