#include "overlays/tools/key_point.hpp"

#include "vm/image/region_edit.hpp"

#include <QColor>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kKeyStep = 8;   ///< logical px per arrow key
constexpr int kLongKeyStep = 10; ///< factor with Shift
constexpr double kKeyPointLine = 1.5;
const QColor kKeyPointColour(255, 255, 255);

} // namespace

QPointF arrowOf(const QKeyEvent& event) {
    const double length = event.modifiers().testFlag(Qt::ShiftModifier) ? kLongKeyStep : 1;
    switch (event.key()) {
    case Qt::Key_Left:
        return {-length, 0};
    case Qt::Key_Right:
        return {length, 0};
    case Qt::Key_Up:
        return {0, -length};
    case Qt::Key_Down:
        return {0, length};
    default:
        return {};
    }
}

QPointF movedKeyPoint(const std::optional<QPointF>& from, const QPointF& by, const OverlayScene& scene) {
    const double step = from ? std::max(1.0, kKeyStep / scene.scale) : 0;
    const QPointF place = from.value_or(scene.visiblePart().center()) + by * step;
    return vm::withinImage({std::round(place.x()), std::round(place.y())}, scene.image);
}

void paintKeyPoint(QPainter& painter, const OverlayScene& scene, const QPointF& image) {
    const QPointF middle = scene.toSurface(image);
    QPainterPath cross;
    cross.moveTo(middle - QPointF(kKeyPointReach, 0));
    cross.lineTo(middle + QPointF(kKeyPointReach, 0));
    cross.moveTo(middle - QPointF(0, kKeyPointReach));
    cross.lineTo(middle + QPointF(0, kKeyPointReach));
    strokeWithHalo(painter, cross, kKeyPointColour, kKeyPointLine);
}

} // namespace pollard::app
