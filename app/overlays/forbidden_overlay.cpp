#include "overlays/forbidden_overlay.hpp"

#include "vm/contour/contour_view_model.hpp"

#include <cmath>

namespace pollard::app {
namespace {

constexpr std::size_t kPitch = 12; ///< device px along a row between two lines of the hatching
constexpr std::size_t kStripe = 3; ///< of them, width of the line
constexpr std::size_t kShadow = 2; ///< of them, width of the dark line beside it
const QRgb kForbiddenLine = qPremultiply(qRgba(236, 72, 153, 235));
const QRgb kDark = qPremultiply(qRgba(20, 0, 12, 150));
const QRgb kGround = qPremultiply(qRgba(236, 72, 153, 60));

} // namespace

QRegion ForbiddenOverlay::area(const OverlayScene& scene) const {
    const Mask* mask = contours_.settings().forbidden().shown();
    if (!contours_.isActive() || mask == nullptr ||
        QSize(static_cast<int>(mask->width()), static_cast<int>(mask->height())) != scene.picture) {
        return {};
    }
    return SurfaceImage::area(scene);
}

void ForbiddenOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    const Mask& mask = *contours_.settings().forbidden().shown();
    picture_.paint(painter, scene, [&mask](const SurfaceGrid& grid, std::span<QRgb> out) {
        std::size_t place = 0;
        for (std::size_t row = 0; row < grid.rows.size(); ++row) {
            const std::span<const Mask::Word> words = mask.row(static_cast<std::uint32_t>(grid.rows[row]));
            for (std::size_t column = 0; column < grid.columns.size(); ++column, ++place) {
                const std::size_t x = grid.columns[column];
                if ((words[x / Mask::kBitsPerWord] >> (x % Mask::kBitsPerWord) & 1U) == 0) {
                    out[place] = 0;
                    continue;
                }
                const std::size_t along = (row + column) % kPitch;
                out[place] = along < kStripe ? kForbiddenLine : along < kStripe + kShadow ? kDark : kGround;
            }
        }
    });
}

QRectF BrushOverlay::circle(const OverlayScene& scene) const {
    const QPointF image = scene.toImage(*scene.pointer);
    const QPointF middle = scene.toSurface({std::floor(image.x()) + 0.5, std::floor(image.y()) + 0.5});
    const double radius = contours_.settings().forbidden().brush() * scene.scale / 2;
    return {middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius};
}

QRegion BrushOverlay::area(const OverlayScene& scene) const {
    if (!scene.pointer || !contours_.isActive() || !contours_.settings().forbidden().isPainting() ||
        scene.picture.isEmpty()) {
        return {};
    }
    return circle(scene).adjusted(-3, -3, 3, 3).toAlignedRect();
}

void BrushOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 180), 3));
    painter.drawEllipse(circle(scene));
    painter.setPen(QPen(Qt::white, 1.2, contours_.settings().forbidden().isErasing() ? Qt::DashLine : Qt::SolidLine));
    painter.drawEllipse(circle(scene));
}

} // namespace pollard::app
