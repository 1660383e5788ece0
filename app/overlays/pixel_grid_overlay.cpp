#include "overlays/pixel_grid_overlay.hpp"

#include "vm/display/overlays_view_model.hpp"

#include <QLineF>
#include <QVector>

#include <cmath>

namespace pollard::app {

QRegion PixelGridOverlay::area(const OverlayScene& scene) const {
    if (!overlays_.hasPixelGrid() || scene.picture.isEmpty() || scene.scale * scene.ratio < kSmallestPixel) {
        return {};
    }
    return QRectF(QPointF(0, 0), scene.size).intersected(scene.pictureArea()).toAlignedRect();
}

void PixelGridOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const QRectF part = scene.visiblePart();
    const QRectF seen(scene.toSurface(part.topLeft()), scene.toSurface(part.bottomRight()));
    // A dark and a bright hairline side by side, visible on every background.
    const double offset = 1 / scene.ratio;
    QVector<QLineF> dark;
    QVector<QLineF> bright;
    const auto add = [&](double at, bool vertical) {
        const auto line = [&](double place) {
            return vertical ? QLineF(place, seen.top(), place, seen.bottom())
                            : QLineF(seen.left(), place, seen.right(), place);
        };
        dark << line(at);
        bright << line(at - offset);
    };
    for (double x = std::ceil(part.left()); x <= part.right(); ++x) {
        add(scene.toSurface({x, 0}).x(), true);
    }
    for (double y = std::ceil(part.top()); y <= part.bottom(); ++y) {
        add(scene.toSurface({0, y}).y(), false);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(QColor(0, 0, 0, 90), 0));
    painter.drawLines(dark);
    painter.setPen(QPen(QColor(255, 255, 255, 70), 0));
    painter.drawLines(bright);
}

} // namespace pollard::app
