#include "overlays/overlay.hpp"

#include <QPen>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pollard::app {
namespace {

const QColor kHalo(0, 0, 0, 150);
constexpr double kHaloWidth = 2; ///< logical px, sum of both sides

} // namespace

void drawPlate(QPainter& painter, const QRectF& area, double radius) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kPlateColour);
    painter.drawRoundedRect(area, radius, radius);
}

void strokeWithHalo(QPainter& painter, const QPainterPath& path, const QColor& colour, double width,
                    Qt::PenStyle style) {
    QPen pen(kHalo, width + kHaloWidth);
    pen.setJoinStyle(Qt::RoundJoin);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    painter.drawPath(path);
    pen.setColor(colour);
    pen.setWidthF(width);
    pen.setStyle(style);
    painter.setPen(pen);
    painter.drawPath(path);
}

namespace {

/// Column or row of the image under each of @p count device px, starting at @p first.
std::vector<std::size_t> placesUnder(int first, int count, double origin, double step, int limit) {
    std::vector<std::size_t> places(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double place = std::floor((first + i + 0.5) * step - origin);
        places[static_cast<std::size_t>(i)] = static_cast<std::size_t>(std::clamp(place, 0.0, limit - 1.0));
    }
    return places;
}

} // namespace

SurfaceImage::Place SurfaceImage::placeIn(const OverlayScene& scene) {
    const QRectF seen = scene.imageArea().intersected(QRectF(QPointF(0, 0), scene.size));
    const auto device = [&](double length) { return static_cast<int>(std::lround(length * scene.ratio)); };
    const QPoint corner(device(seen.left()), device(seen.top()));
    return {QRect(corner, QPoint(device(seen.right()) - 1, device(seen.bottom()) - 1)), scene.origin, scene.scale,
            scene.scaleDown(), scene.ratio};
}

QRegion SurfaceImage::area(const OverlayScene& scene) {
    return scene.imageArea().intersected(QRectF(QPointF(0, 0), scene.size)).toAlignedRect();
}

void SurfaceImage::paint(QPainter& painter, const OverlayScene& scene, const Fill& fill) {
    const Place place = placeIn(scene);
    if (scene.image.isEmpty() || place.device.isEmpty()) {
        return;
    }
    if (image_.isNull() || made_ != place) {
        image_ = make(place, scene.image, fill);
        made_ = place;
    }
    painter.drawImage(QRectF(QPointF(place.device.topLeft()) / place.ratio, QSizeF(place.device.size()) / place.ratio),
                      image_, QRectF(QPointF(0, 0), QSizeF(place.device.size())));
}

QImage SurfaceImage::make(const Place& place, QSize image, const Fill& fill) {
    const auto columns = placesUnder(place.device.left(), place.device.width(), place.origin.x() / place.scale,
                                     1 / (place.ratio * place.scale), image.width());
    const auto rows = placesUnder(place.device.top(), place.device.height(), place.origin.y() / place.scaleDown,
                                  1 / (place.ratio * place.scaleDown), image.height());
    QImage drawn(place.device.size(), QImage::Format_ARGB32_Premultiplied);
    // Rows of 32-bit pixels have no padding.
    fill({columns, rows}, {reinterpret_cast<QRgb*>(drawn.bits()), columns.size() * rows.size()});
    return drawn;
}

} // namespace pollard::app
