#pragma once

#include "vm/picture/open_request.hpp"

#include "image/pixel_region.hpp"
#include "image/region_shape.hpp"

#include <QPointF>

namespace pollard::vm {

/// Position of a picture's px on its page: p = (P - offset) * scale, with P in px of the full resolution.
struct PicturePlace {
    QPointF offset;
    double scale = 1;

    bool operator==(const PicturePlace&) const = default;
};

/// @param info of the page
[[nodiscard]] PicturePlace placeOf(const OpenRequest& request, const ImageInfo& info);

/// The px of the file at the read resolution that px of the picture stand for.
/// @param info of the page
[[nodiscard]] PixelRegion pixelsOfFile(const PixelRegion& area, const OpenRequest& picture, const ImageInfo& info);

/// The same shape in another picture of the page.
[[nodiscard]] RegionShape mapped(const RegionShape& shape, const PicturePlace& from, const PicturePlace& to);

} // namespace pollard::vm
