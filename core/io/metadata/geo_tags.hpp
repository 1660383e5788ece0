#pragma once

#include "image/pixel_region.hpp"
#include "io/image_file.hpp"

#include <utility>
#include <vector>

namespace pollard {

/// The tags of a picture that is a part of the tagged one, made smaller: its pixel (i, j) covers the pixels from
/// (region.x + i * scaleX, region.y + j * scaleY) on, scaleX x scaleY of them. Every pixel keeps its place in the
/// world: tie points, ModelPixelScale, ModelTransformation (for pixels as areas and as points), RPC coefficients and
/// X/YResolution are changed, all else stays, e.g. coordinate system, no-data value and GDAL's metadata. A lone tie
/// point keeps its pixel and gets another place; tie points that are control points keep their place.
/// Only the corner of @p region counts. Tags of an unexpected type or count stay as they are.
/// @param scaleX,scaleY px of the tagged picture per px of the result, > 0
[[nodiscard]] std::vector<CarriedTag> cropTags(std::vector<CarriedTag> tags, const PixelRegion& region, double scaleX,
                                               double scaleY);
[[nodiscard]] inline std::vector<CarriedTag> cropTags(std::vector<CarriedTag> tags, const PixelRegion& region,
                                                      double scale) {
    return cropTags(std::move(tags), region, scale, scale);
}

/// Adds what GeoTIFF and GDAL tags say: facts (coordinate system, place of the corner, pixel, no-data value) and
/// ImageInfo::pixelSize in m or degrees, if there is none yet. Reads info.carried.
void describeGeoTags(ImageInfo& info);

} // namespace pollard
