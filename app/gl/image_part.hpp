#pragma once

#include "vm/image/view_transform.hpp"

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <cmath>

namespace pollard::app {

/// A part of the plane of an image, of the size of a framebuffer.
struct ImagePart {
    QSize viewport;    ///< device px
    QPointF origin;    ///< of the image's first corner: on top at the left, or at the bottom with a negative aspect
    double scale = 1;  ///< device px per px of the image, along its rows
    double aspect = 1; ///< height of a px of the image, in widths of a px; negative: the last row is on top

    /// The part in a view in device px. Its origin lies on whole px, so that magnified pixels keep sharp edges.
    [[nodiscard]] static ImagePart of(const vm::ViewTransform& view) {
        const QPointF corner = view.toView({0, 0});
        return {view.viewSize.toSize(), {std::round(corner.x()), std::round(corner.y())}, view.zoom};
    }
    /// Device px per px of the image, down its columns; negative if the last row is on top.
    [[nodiscard]] double scaleDown() const { return scale * aspect; }
    /// From device px to px of the image.
    [[nodiscard]] QPointF toImage(QPointF place) const {
        return {(place.x() - origin.x()) / scale, (place.y() - origin.y()) / scaleDown()};
    }
    /// From px of the image to device px.
    [[nodiscard]] QPointF toView(QPointF image) const {
        return {origin.x() + image.x() * scale, origin.y() + image.y() * scaleDown()};
    }
    /// The part in px of the image, possibly beyond its borders.
    [[nodiscard]] QRectF area() const {
        const QSizeF size(viewport.width() / scale, viewport.height() / scaleDown());
        return QRectF(toImage({0, 0}), size).normalized();
    }
};

} // namespace pollard::app
