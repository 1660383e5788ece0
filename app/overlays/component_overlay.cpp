#include "overlays/component_overlay.hpp"

#include "chain_view_model.hpp"
#include "document_view_model.hpp"

#include "tree/component_paint.hpp"

namespace pollard::app {
namespace {

constexpr QRgb kOutline = qRgba(255, 196, 0, 255); // amber is seen on grey pictures and on the residue's colours
constexpr int kFillAlpha = 70;

} // namespace

QRegion ComponentOverlay::area(const OverlayScene& scene) const {
    const auto tree = document_.tree();
    if (!tree || !chain_.node() || scene.picture.isEmpty() ||
        QSize(static_cast<int>(tree->width), static_cast<int>(tree->height)) != scene.picture) {
        return {};
    }
    return SurfacePicture::area(scene);
}

void ComponentOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    picture_.paint(painter, scene, [&](const SurfaceGrid& grid, std::span<QRgb> out) {
        const auto tree = document_.tree();
        NodePaint paint;
        paint.tree = tree.get();
        paint.columns = grid.columns;
        paint.rows = grid.rows;
        paint.fill = qPremultiply(qRgba(qRed(kOutline), qGreen(kOutline), qBlue(kOutline), kFillAlpha));
        paint.outline = kOutline;
        paintComponent(paint, *chain_.node(), out);
    });
}

} // namespace pollard::app
