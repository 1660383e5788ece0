#include "overlays/stain_overlay.hpp"

#include "overlays/plate.hpp"
#include "vm/region/stain_picks.hpp"

#include <QFontMetricsF>
#include <QPainterPath>

#include <utility>

namespace pollard::app {
namespace {

using Stains = vm::StainPicks;

constexpr double kWidth = 1.5;
constexpr double kReach = 4; ///< margin around the lines
const QColor kColour(255, 255, 255);

QRectF onSurface(const QRectF& area, const OverlayScene& scene) {
    return {scene.toSurface(area.topLeft()), scene.toSurface(area.bottomRight())};
}

QString labelOf(Stains::Part part) {
    return part == Stains::Part::background ? QStringLiteral("0") : QString::number(static_cast<int>(part) + 1);
}

/// Above the upper left corner.
QRectF plateFor(const QRectF& shown, const QString& text, const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    const QSizeF size(metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    return {shown.topLeft() - QPointF(0, size.height() + kReach), size};
}

} // namespace

StainOverlay::StainOverlay(Stains& stains, std::function<OverlayScene()> scene)
    : stains_(stains), scene_(std::move(scene)) {}

QRegion StainOverlay::area(const OverlayScene& scene) const {
    QRegion all;
    if (!stains_.isPicking() || scene.picture.isEmpty()) {
        return all;
    }
    const auto addBox = [&](const QRectF& box) {
        all += box.adjusted(-kReach, -kReach, kReach, kReach).toAlignedRect();
    };
    for (const Stains::Part part : Stains::kParts) {
        if (const auto area = stains_.area(part)) {
            const QRectF shown = onSurface(*area, scene);
            addBox(shown);
            addBox(plateFor(shown, labelOf(part), scene));
        }
    }
    if (const auto draft = stains_.draft()) {
        addBox(onSurface(*draft, scene));
    }
    return all;
}

void StainOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (!stains_.isPicking()) {
        return;
    }
    const auto stroke = [&](const QRectF& box) {
        QPainterPath path;
        path.addRect(box);
        strokeWithHalo(painter, path, kColour, kWidth, Qt::SolidLine);
    };
    for (const Stains::Part part : Stains::kParts) {
        if (const auto area = stains_.area(part)) {
            const QRectF shown = onSurface(*area, scene);
            stroke(shown);
            const QRectF plate = plateFor(shown, labelOf(part), scene);
            drawPlate(painter, plate, 3);
            painter.setPen(kPlateInk);
            painter.setFont(scene.font);
            painter.drawText(plate, Qt::AlignCenter, labelOf(part));
        }
    }
    if (const auto draft = stains_.draft()) {
        stroke(onSurface(*draft, scene));
    }
}

bool StainOverlay::press(const QMouseEvent& event) {
    if (!stains_.isPicking()) {
        return false;
    }
    stains_.beginArea(scene_().toImage(event.position()));
    return true;
}

void StainOverlay::drag(const QMouseEvent& event) { stains_.moveArea(scene_().toImage(event.position())); }

void StainOverlay::release(const QMouseEvent&) { stains_.finishArea(); }

std::optional<QCursor> StainOverlay::cursorAt(QPointF) const {
    return stains_.isPicking() ? std::optional(QCursor(Qt::CrossCursor)) : std::nullopt;
}

bool StainOverlay::wantsKey(const QKeyEvent& event) const {
    return stains_.isPicking() && event.key() == Qt::Key_Escape;
}

void StainOverlay::key(const QKeyEvent&) {
    if (stains_.draft()) {
        stains_.forgetArea();
    } else {
        stains_.setPicking(false);
    }
}

} // namespace pollard::app
