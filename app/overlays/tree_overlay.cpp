#include "overlays/tree_overlay.hpp"

#include "vm/document/document_view_model.hpp"

namespace pollard::app {

QRegion TreeOverlay::area(const OverlayScene& scene) const {
    const auto tree = document_.tree();
    if (!tree || !isAny() || scene.picture.isEmpty() ||
        QSize(static_cast<int>(tree->width), static_cast<int>(tree->height)) != scene.picture) {
        return {};
    }
    return SurfacePicture::area(scene);
}

void TreeOverlay::paint(QPainter& painter, const OverlayScene& scene) {
    if (area(scene).isEmpty()) {
        return;
    }
    picture_.paint(painter, scene, [&](const SurfaceGrid& grid, std::span<QRgb> out) {
        const auto tree = document_.tree();
        NodePaint paint;
        paint.tree = tree.get();
        paint.columns = grid.columns;
        paint.rows = grid.rows;
        paint.fill = qPremultiply(qRgba(qRed(colour_), qGreen(colour_), qBlue(colour_), opacity_));
        paint.outline = colour_;
        fill(paint, out);
    });
}

} // namespace pollard::app
