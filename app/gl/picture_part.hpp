#pragma once

#include "vm/picture/view_transform.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cmath>

namespace pollard::app {

/// A part of the plane of a picture, of the size of a framebuffer.
struct PicturePart {
    QSize viewport;   ///< device px
    QPointF origin;   ///< of the picture's top left corner, device px
    double scale = 1; ///< device px per px of the picture

    /// The part in a view in device px. Its origin lies on whole px, so that magnified pixels keep sharp edges.
    [[nodiscard]] static PicturePart of(const vm::ViewTransform& view) {
        const QPointF corner = view.toView({0, 0});
        return {view.viewSize.toSize(), {std::round(corner.x()), std::round(corner.y())}, view.zoom};
    }
    /// From device px to px of the picture.
    [[nodiscard]] QPointF toPicture(QPointF place) const { return (place - origin) / scale; }
    /// The part in px of the picture, possibly beyond its borders.
    [[nodiscard]] QRectF area() const { return {toPicture({0, 0}), QSizeF(viewport) / scale}; }
};

} // namespace pollard::app
