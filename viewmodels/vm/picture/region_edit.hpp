#pragma once

#include "image/region_shape.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cstddef>
#include <vector>

namespace pollard::vm {

/// Pure functions that change shapes. Shapes never reach beyond the picture; rectangles and ellipses have whole px
/// as borders, so that the numbers of their size are those of the pixels inside.

/// Left, top, width and height of what lies around the shape; empty without points.
[[nodiscard]] QRectF boxOf(const RegionShape& shape) noexcept;

/// A rectangle or an ellipse between two corners on whole px of a picture.
/// @param square sides of equal length, the shorter ones of both
[[nodiscard]] RegionShape shapeBetween(RegionShape::Kind kind, QPointF from, QPointF to, bool square, QSize picture);

/// Moved by whole px for rectangles and ellipses, as far as the picture allows.
[[nodiscard]] RegionShape moved(const RegionShape& shape, QPointF by, QSize picture);

/// Stretched so that boxOf() is @p box, kept within the picture and at least 1 px wide and high.
[[nodiscard]] RegionShape fittedTo(const RegionShape& shape, QRectF box, QSize picture);

/// Where a shape can be taken hold of: corners and middles of the sides of the box of a rectangle or an ellipse
/// (clockwise from the top left), corners of a polygon.
[[nodiscard]] std::vector<QPointF> handlesOf(const RegionShape& shape);

/// The shape with the handle pulled to a place.
[[nodiscard]] RegionShape withHandleAt(const RegionShape& shape, std::size_t handle, QPointF place, bool square,
                                       QSize picture);

/// A place in the picture: nearest one, polygons' corners on hundredths of a px.
[[nodiscard]] QPointF withinPicture(QPointF place, QSize picture) noexcept;

/// Whether anything can be inside: three corners for a polygon, 1 px of width and height for the others.
[[nodiscard]] bool isShape(const RegionShape& shape) noexcept;

/// The same shape after the picture it lies in was cut out or shrunk differently: every place p becomes
/// (p - offset) * scale. Nothing is kept within a picture.
[[nodiscard]] RegionShape mapped(const RegionShape& shape, QPointF offset, double scale);

} // namespace pollard::vm
