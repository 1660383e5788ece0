#include "overlays/cross_hair_overlay.hpp"

#include "theme/axis_colour.hpp"
#include "vm/display/orthogonal_view_model.hpp"

namespace pollard::app {

QRegion CrossHairOverlay::area(const OverlayScene& scene) const {
    if (!orthogonal_.isActive() || !orthogonal_.isAvailable() || scene.picture.isEmpty()) {
        return {};
    }
    const QPointF cross = scene.toSurface(orthogonal_.crossing(scene.plane.across));
    const QRect picture = scene.imageArea().toAlignedRect();
    constexpr int kAround = 1;
    const QRect column(static_cast<int>(cross.x()) - kAround, picture.top(), 2 * kAround + 1, picture.height());
    const QRect row(picture.left(), static_cast<int>(cross.y()) - kAround, picture.width(), 2 * kAround + 1);
    return QRegion(column).united(row).intersected(QRectF(QPointF(0, 0), scene.size).toAlignedRect());
}

void CrossHairOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const auto [right, down] = axesOf(scene.plane);
    const QPointF cross = scene.toSurface(orthogonal_.crossing(scene.plane.across));
    const QRectF picture = scene.imageArea();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(axisColour(right.axis), 0));
    painter.drawLine(QPointF(cross.x(), picture.top()), QPointF(cross.x(), picture.bottom()));
    painter.setPen(QPen(axisColour(down.axis), 0));
    painter.drawLine(QPointF(picture.left(), cross.y()), QPointF(picture.right(), cross.y()));
}

} // namespace pollard::app
