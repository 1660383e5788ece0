#include "overlays/scale_line_overlay.hpp"

#include "overlays/plate.hpp"
#include "vm/session/pixel_size_view_model.hpp"

#include <QFontMetricsF>
#include <QLineF>
#include <QLocale>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr double kWidth = 2;
constexpr double kEnd = 7;    ///< half the length of the end strokes
constexpr double kReach = 12; ///< margin around the drawing
const QColor kLineColour(255, 255, 255);

QString lengthText(const QLineF& line) {
    return vm::PixelSizeViewModel::tr("%1 px").arg(QLocale().toString(line.length(), 'f', 1));
}

/// Below the middle of the line, within the surface.
QRectF plateFor(const QLineF& line, const QString& text, const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    const QSizeF size(metrics.horizontalAdvance(text) + 14, metrics.height() + 6);
    const QPointF place = line.center() + QPointF(-size.width() / 2, kEnd + 6);
    const auto within = [](double value, double room) { return std::clamp(value, 4.0, std::max(4.0, room - 4)); };
    return {QPointF(within(place.x(), scene.size.width() - size.width()),
                    within(place.y(), scene.size.height() - size.height())),
            size};
}

QLineF onSurface(const QLineF& line, const OverlayScene& scene) {
    return {scene.toSurface(line.p1()), scene.toSurface(line.p2())};
}

} // namespace

QRegion ScaleLineOverlay::area(const OverlayScene& scene) const {
    const auto line = size_.line();
    if (!line || scene.picture.isEmpty()) {
        return {};
    }
    const QLineF shown = onSurface(*line, scene);
    const QRectF box = QRectF(shown.p1(), shown.p2()).normalized().adjusted(-kReach, -kReach, kReach, kReach);
    return QRegion(box.united(plateFor(shown, lengthText(*line), scene)).toAlignedRect());
}

void ScaleLineOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    const auto line = size_.line();
    if (!line) {
        return;
    }
    const QLineF shown = onSurface(*line, scene);
    QPainterPath path(shown.p1());
    path.lineTo(shown.p2());
    if (shown.length() > 0) {
        QLineF across = shown.normalVector();
        across.setLength(kEnd);
        const QPointF aside = across.p2() - across.p1();
        for (const QPointF& end : {shown.p1(), shown.p2()}) {
            path.moveTo(end - aside);
            path.lineTo(end + aside);
        }
    }
    strokeWithHalo(painter, path, kLineColour, kWidth);
    const QString text = lengthText(*line);
    const QRectF plate = plateFor(shown, text, scene);
    drawPlate(painter, plate);
    painter.setPen(kPlateInk);
    painter.setFont(scene.font);
    painter.drawText(plate, Qt::AlignCenter, text);
}

} // namespace pollard::app
