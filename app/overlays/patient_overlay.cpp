#include "overlays/patient_overlay.hpp"

#include "overlays/measure_overlays.hpp"
#include "overlays/plate.hpp"
#include "vm/display/overlays_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/patient_text.hpp"

#include "io/volumes/patient_axes.hpp"

#include <QFontMetricsF>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr double kEdgeMargin = 4;   ///< between a plate and the edge of the view
constexpr double kPlatePadding = 3; ///< around the letters

QFont letterFont(QFont font) {
    font.setBold(true);
    return font;
}

AxisDirection turned(const AxisDirection& direction, double sign) {
    return {sign * direction[0], sign * direction[1], sign * direction[2]};
}

} // namespace

QList<PatientOverlay::Mark> PatientOverlay::marks(const OverlayScene& scene) const {
    const auto info = document_.imageInfo();
    const auto map = overlays_.isShown(vm::OverlaysViewModel::Overlay::patient) && !scene.picture.isEmpty()
                         ? vm::patientMap(info.get())
                         : std::nullopt;
    if (!map) {
        return {};
    }
    const double ruler = overlays_.hasRulers() ? kRulerWidth : 0;
    const QRectF view(QPointF(ruler, ruler), QPointF(scene.size.width(), scene.size.height()));
    const QRectF inner = view.adjusted(kEdgeMargin, kEdgeMargin, -kEdgeMargin, -kEdgeMargin);
    const QFontMetricsF metrics(letterFont(scene.font));
    const double height = metrics.height() + kPlatePadding;
    const auto [right, down] = directionsIn(*map, scene.plane.across, scene.plane.turn);
    QList<Mark> marks;
    const auto add = [&](const AxisDirection& direction, double x, double y) { // x and y: 0 to 1 in the view
        const QString letters = QString::fromStdString(patientLetters(direction));
        const double width = std::max(height, metrics.horizontalAdvance(letters) + 2 * kPlatePadding);
        const QPointF corner(inner.left() + x * (inner.width() - width), inner.top() + y * (inner.height() - height));
        if (!letters.isEmpty()) {
            marks << Mark{letters, QRectF(corner, QSizeF(width, height))};
        }
    };
    constexpr double kMiddle = 0.5;
    add(turned(right, -1), 0, kMiddle);
    add(right, 1, kMiddle);
    add(turned(down, -1), kMiddle, 0);
    add(down, kMiddle, 1);
    return marks;
}

QRegion PatientOverlay::area(const OverlayScene& scene) const {
    QRegion region;
    for (const Mark& mark : marks(scene)) {
        region += mark.plate.toAlignedRect();
    }
    return region;
}

void PatientOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    painter.setFont(letterFont(scene.font));
    for (const Mark& mark : marks(scene)) {
        drawPlate(painter, mark.plate, kPlatePadding);
        painter.setPen(kPlateInk);
        painter.drawText(mark.plate, Qt::AlignCenter, mark.letters);
    }
}

} // namespace pollard::app
