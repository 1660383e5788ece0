#include "overlays/selection_overlay.hpp"

#include "document_view_model.hpp"
#include "node_selection.hpp"

#include "tree/component_paint.hpp"

namespace pollard::app {
namespace {

constexpr QRgb kOutline = selectionColour();
constexpr int kFillAlpha = 90;

} // namespace

QRegion SelectionOverlay::area(const OverlayScene& scene) const {
    const auto tree = document_.tree();
    if (!tree || !selection_.extent() || scene.picture.isEmpty() ||
        QSize(static_cast<int>(tree->width), static_cast<int>(tree->height)) != scene.picture) {
        return {};
    }
    return SurfacePicture::area(scene);
}

void SelectionOverlay::paint(QPainter& painter, const OverlayScene& scene) {
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
        paintNodes(paint, selection_.extent()->flags, out);
    });
}

} // namespace pollard::app
