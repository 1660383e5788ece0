#include "overlays/stain_overlay.hpp"

#include "overlays/plate.hpp"
#include "vm/region/stain_picks.hpp"

#include <QFontMetricsF>
#include <QPainterPath>

#include <utility>

namespace pollard::app {
namespace {

using Stains = vm::StainPicks;

constexpr double kStainWidth = 1.5;
constexpr double kStainReach = 4; ///< margin around the lines
const QColor kColour(255, 255, 255);

QRectF stainArea(const QRectF& area, const OverlayScene& scene) {
    return {scene.toSurface(area.topLeft()), scene.toSurface(area.bottomRight())};
}

QString labelOf(Stains::Part part) {
    return part == Stains::Part::background ? QStringLiteral("0") : QString::number(static_cast<int>(part) + 1);
}

/// Above the upper left corner.
QRectF stainPlate(const QRectF& shown, const QString& text, const OverlayScene& scene) {
    const QFontMetricsF metrics(scene.font);
    const QSizeF size(metrics.horizontalAdvance(text) + 10, metrics.height() + 2);
    return {shown.topLeft() - QPointF(0, size.height() + kStainReach), size};
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
        all += box.adjusted(-kStainReach, -kStainReach, kStainReach, kStainReach).toAlignedRect();
    };
    for (const Stains::Part part : Stains::kParts) {
        if (const auto area = stains_.area(part)) {
            const QRectF shown = stainArea(*area, scene);
            addBox(shown);
            addBox(stainPlate(shown, labelOf(part), scene));
        }
    }
    if (const auto draft = stains_.draft()) {
        addBox(stainArea(*draft, scene));
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
        strokeWithHalo(painter, path, kColour, kStainWidth, Qt::SolidLine);
    };
    for (const Stains::Part part : Stains::kParts) {
        if (const auto area = stains_.area(part)) {
            const QRectF shown = stainArea(*area, scene);
            stroke(shown);
            const QRectF plate = stainPlate(shown, labelOf(part), scene);
            drawPlate(painter, plate, 3);
            painter.setPen(kPlateInk);
            painter.setFont(scene.font);
            painter.drawText(plate, Qt::AlignCenter, labelOf(part));
        }
    }
    if (const auto draft = stains_.draft()) {
        stroke(stainArea(*draft, scene));
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
