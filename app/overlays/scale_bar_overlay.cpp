#include "overlays/scale_bar_overlay.hpp"

#include "overlays/plate.hpp"
#include "overlays/ruler_overlay.hpp"
#include "vm/display/overlays_view_model.hpp"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kLongest = 180;     ///< of the bar
constexpr double kShareOfView = 0.4; ///< fraction of a small view's width
constexpr double kThickness = 4;
constexpr double kPaddingX = 10;
constexpr double kPaddingY = 7;
constexpr double kGap = 3; ///< between text and bar

QFont barFont(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

std::optional<ScaleBarOverlay::Layout> ScaleBarOverlay::layout(const OverlayScene& scene) const {
    if (!overlays_.hasScaleBar() || scene.picture.isEmpty()) {
        return std::nullopt;
    }
    const double longest = std::min(kLongest, scene.size.width() * kShareOfView);
    auto bar = vm::scaleBarFor(scene.scale, longest, scene.pixelSize);
    if (!bar || bar->length > scene.size.width()) {
        return std::nullopt;
    }
    const QFontMetricsF metrics(barFont(scene.font));
    const double textWidth = metrics.horizontalAdvance(bar->text);
    const double inner = std::max(bar->length, textWidth);
    const double left = kOverlayMargin + (overlays_.hasRulers() ? kRulerWidth : 0);
    Layout layout;
    const double height = metrics.height() + kGap + kThickness + 2 * kPaddingY;
    layout.plate = QRectF(left, std::floor(scene.size.height() - kOverlayMargin - height), inner + 2 * kPaddingX,
                          std::ceil(height));
    layout.text = QRectF(layout.plate.left(), layout.plate.top() + kPaddingY, layout.plate.width(), metrics.height());
    // Aligned to device px for sharp ends.
    const double start = layout.plate.left() + kPaddingX + (inner - bar->length) / 2;
    layout.start = {std::round(start * scene.ratio) / scene.ratio, layout.plate.bottom() - kPaddingY};
    layout.bar = std::move(*bar);
    return layout;
}

QRegion ScaleBarOverlay::area(const OverlayScene& scene) const {
    const auto found = layout(scene);
    return found ? QRegion(found->plate.toAlignedRect()) : QRegion();
}

void ScaleBarOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    const auto found = layout(scene);
    if (!found) {
        return;
    }
    drawPlate(painter, found->plate);
    painter.setFont(barFont(scene.font));
    painter.setPen(kPlateInk);
    painter.drawText(found->text, Qt::AlignCenter, found->bar.text);
    painter.fillRect(QRectF(found->start.x(), found->start.y() - kThickness, found->bar.length, kThickness), kPlateInk);
}

} // namespace pollard::app
