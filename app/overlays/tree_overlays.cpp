#include "overlays/tree_overlays.hpp"

#include "canvas/component_light.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"

namespace pollard::app {

QRegion TreeOverlay::area(const OverlayScene& scene) const {
    const auto tree = document_.tree();
    if (!tree || !isAny() || scene.picture.isEmpty() || !scene.showsPlaneOf(tree->extent())) {
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
        paint.plane = scene.plane;
        paint.fill = qPremultiply(qRgba(qRed(colour_), qGreen(colour_), qBlue(colour_), opacity_));
        paint.outline = colour_;
        fill(paint, out);
    });
}

ComponentOverlay::ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain)
    : TreeOverlay(document, ComponentLight::kColour, ComponentLight::kOpacity), chain_(chain) {}

bool ComponentOverlay::isAny() const { return chain_.node().has_value(); }

void ComponentOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintComponent(paint, *chain_.node(), out);
}

SelectionOverlay::SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection)
    : TreeOverlay(document, selectionColour(), kSelectionOpacity), selection_(selection) {}

bool SelectionOverlay::isAny() const { return selection_.extent() != nullptr; }

void SelectionOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintNodes(paint, selection_.extent()->flags, out);
}

} // namespace pollard::app
