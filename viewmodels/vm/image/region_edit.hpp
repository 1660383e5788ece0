#pragma once

#include "vm/image/open_request.hpp"

#include "image/image.hpp"
#include "image/region_shape.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cstddef>
#include <vector>

namespace pollard::vm {

/// Pure functions that change shapes. Shapes are always inside the image; rectangles and ellipses have borders at
/// whole px, so that their size is the number of pixels inside.

/// Bounding box of the shape: left, top, width and height; empty without points.
[[nodiscard]] QRectF boxOf(const RegionShape& shape) noexcept;

/// A rectangle or an ellipse between two corners at whole px of an image.
/// @param square equal sides, the shorter one of both
[[nodiscard]] RegionShape shapeBetween(RegionShape::Kind kind, QPointF from, QPointF to, bool square, QSize image);

/// Moved within the image, by whole px for rectangles and ellipses.
[[nodiscard]] RegionShape moved(const RegionShape& shape, QPointF by, QSize image);

/// Scaled so that boxOf() is @p box, kept within the image and at least 1 px wide and high.
[[nodiscard]] RegionShape fittedTo(const RegionShape& shape, QRectF box, QSize image);

/// Handles of a shape: corners and midpoints of the sides of the box of a rectangle or an ellipse (clockwise from the
/// top left), corners of a polygon.
[[nodiscard]] std::vector<QPointF> handlesOf(const RegionShape& shape);

/// The shape with the handle moved to a place.
[[nodiscard]] RegionShape withHandleAt(const RegionShape& shape, std::size_t handle, QPointF place, bool square,
                                       QSize image);

/// The nearest place in the image, for corners of polygons in hundredths of a px.
[[nodiscard]] QPointF withinImage(QPointF place, QSize image) noexcept;

/// Whether the shape has an interior: three corners for a polygon, 1 px of width and height for the others.
[[nodiscard]] bool isShape(const RegionShape& shape) noexcept;

/// The same shape after its image was cropped or shrunk differently: every place p becomes (p - offset) * scale. Not
/// clipped to an image.
[[nodiscard]] RegionShape mapped(const RegionShape& shape, QPointF offset, double scale);

/// Position of an image's px on its page: p = (P - offset) * scale, with P in px of the full resolution.
struct ImagePlace {
    QPointF offset;
    double scale = 1;

    bool operator==(const ImagePlace&) const = default;
};

/// @param info of the page
[[nodiscard]] ImagePlace placeOf(const OpenRequest& request, const ImageInfo& info);

/// The px of the file at the read resolution that px of the image stand for.
/// @param info of the page
[[nodiscard]] PixelRegion pixelsOfFile(const PixelRegion& area, const OpenRequest& image, const ImageInfo& info);

/// The same shape in another image of the page.
[[nodiscard]] RegionShape mapped(const RegionShape& shape, const ImagePlace& from, const ImagePlace& to);

} // namespace pollard::vm
