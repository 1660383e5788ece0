#include "overlays/ruler_overlay.hpp"

#include "theme/theme.hpp"
#include "vm/display/overlays_view_model.hpp"
#include "vm/picture/world_scale.hpp"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kGap = 72;   ///< minimum distance of numbered ticks
constexpr double kMajor = 10; ///< length of a tick
constexpr double kMinor = 5;
constexpr double kPointerSize = 5; ///< half the width of the pointer's mark

QFont rulerFont(QFont font) {
    font.setPixelSize(10);
    return font;
}

} // namespace

QRegion RulerOverlay::area(const OverlayScene& scene) const {
    if (!overlays_.hasRulers() || scene.picture.isEmpty()) {
        return {};
    }
    const QSize size = scene.size.toSize();
    const int width = static_cast<int>(kRulerWidth);
    return QRegion(0, 0, size.width(), width) + QRegion(0, width, width, size.height() - width);
}

RulerOverlay::Unit RulerOverlay::unitFor(const OverlayScene& scene) const {
    if (!scene.pixelSize || overlays_.areRulersInPixels()) {
        return {QStringLiteral("px"), 1, 1, true};
    }
    // The unit in which the steps of the ruler are readable numbers.
    const vm::WorldUnit unit = vm::readableUnit(kGap / scene.scale * scene.pixelSize->x, scene.pixelSize->unit);
    return {unit.name, scene.pixelSize->x * unit.factor, scene.pixelSize->y * unit.factor, false};
}

void RulerOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!overlays_.hasRulers() || scene.picture.isEmpty()) {
        return;
    }
    painter.setFont(rulerFont(scene.font));
    paintRuler(painter, scene, Qt::Horizontal);
    paintRuler(painter, scene, Qt::Vertical);
    paintCorner(painter, scene);
}

void RulerOverlay::paintRuler(QPainter& painter, const OverlayScene& scene, Qt::Orientation orientation) const {
    const bool horizontal = orientation == Qt::Horizontal;
    const Unit unit = unitFor(scene);
    const double perPixel = horizontal ? unit.x : unit.y;
    const double length = (horizontal ? scene.size.width() : scene.size.height()) - kRulerWidth;
    const double origin = (horizontal ? scene.origin.x() : scene.origin.y()) - kRulerWidth;
    const double scale = scene.scale / perPixel;

    painter.save();
    // Both rulers are painted along x; the left one is rotated, so that its numbers run upwards.
    if (horizontal) {
        painter.translate(kRulerWidth, 0);
    } else {
        painter.translate(0, scene.size.height());
        painter.rotate(-90);
    }
    const QRectF strip(0, 0, length, kRulerWidth);
    painter.setClipRect(strip);
    painter.fillRect(strip, scene.palette.color(QPalette::Window));
    const auto along = [&](double place) { return horizontal ? place : length - place; };

    // The range covered by the picture is brighter.
    const double extent = (horizontal ? scene.picture.width() : scene.picture.height()) * scene.scale;
    const double begin = std::clamp(origin, 0.0, length);
    const double end = std::clamp(origin + extent, 0.0, length);
    painter.fillRect(QRectF(QPointF(along(begin), 0), QPointF(along(end), kRulerWidth)).normalized(),
                     scene.palette.color(QPalette::Base));

    painter.setRenderHint(QPainter::Antialiasing, false);
    const QColor ink = scene.palette.color(QPalette::WindowText);
    QColor faint = ink;
    faint.setAlphaF(0.45F);
    const QFontMetricsF metrics(painter.font());
    for (const vm::RulerTick& tick : vm::rulerTicks(-origin / scale, scale, length, kGap, unit.pixels)) {
        const double x = along(std::round(tick.position));
        painter.setPen(tick.major ? ink : faint);
        painter.drawLine(QPointF(x, kRulerWidth), QPointF(x, kRulerWidth - (tick.major ? kMajor : kMinor)));
        const QString number = tick.major ? vm::worldText(tick.value, {}, 6) : QString();
        const bool room = x + 3 + metrics.horizontalAdvance(number) <= length; // a number cut off would be wrong
        if (tick.major && room) {
            painter.drawText(QPointF(x + 3, metrics.ascent() + 1), number);
        }
    }
    painter.fillRect(QRectF(0, kRulerWidth - 1, length, 1), hairline(scene.palette));

    if (scene.pointer) {
        const double x = along((horizontal ? scene.pointer->x() : scene.pointer->y()) - kRulerWidth);
        QPainterPath mark;
        mark.moveTo(x, kRulerWidth);
        mark.lineTo(x - kPointerSize, kRulerWidth - kPointerSize * 1.6);
        mark.lineTo(x + kPointerSize, kRulerWidth - kPointerSize * 1.6);
        mark.closeSubpath();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(mark, scene.palette.color(QPalette::Highlight));
    }
    painter.restore();
}

void RulerOverlay::paintCorner(QPainter& painter, const OverlayScene& scene) const {
    const QRectF corner(0, 0, kRulerWidth, kRulerWidth);
    painter.fillRect(corner, scene.palette.color(QPalette::Window));
    QString name = unitFor(scene).name;
    name.replace(QStringLiteral("arcsec"), QStringLiteral("″")).replace(QStringLiteral("arcmin"), QStringLiteral("′"));
    painter.setPen(secondaryText(scene.palette));
    painter.drawText(corner, Qt::AlignCenter, name);
    painter.fillRect(QRectF(0, kRulerWidth - 1, kRulerWidth, 1), hairline(scene.palette));
    painter.fillRect(QRectF(kRulerWidth - 1, 0, 1, kRulerWidth), hairline(scene.palette));
}

} // namespace pollard::app
