#pragma once

#include <QPointF>
#include <QRectF>

#include <algorithm>
#include <optional>

namespace pollard::app {

inline constexpr int kMarginal = 34;   ///< px of the histograms beside the plane of attributes
inline constexpr int kMarginalGap = 3; ///< px between them and the plane

/// The plane of two attributes on the screen. Its coordinates are 0..1 on both axes, y upwards.
struct PlaneArea {
    QRectF plot; ///< px

    [[nodiscard]] QPointF pixelOf(QPointF place) const {
        return {plot.left() + place.x() * plot.width(), plot.bottom() - place.y() * plot.height()};
    }
    [[nodiscard]] QPointF placeAt(QPointF pixel) const {
        return {(pixel.x() - plot.left()) / std::max(1.0, plot.width()),
                (plot.bottom() - pixel.y()) / std::max(1.0, plot.height())};
    }
    /// Null without a rectangle.
    [[nodiscard]] QRectF pixelsOf(const std::optional<QRectF>& places) const {
        return places ? QRectF(pixelOf(places->topLeft()), pixelOf(places->bottomRight())).normalized() : QRectF();
    }
};

} // namespace pollard::app
