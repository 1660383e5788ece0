#include "overlays/selection_overlay.hpp"

#include "vm/tree/node_selection.hpp"

namespace pollard::app {

SelectionOverlay::SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection)
    : TreeOverlay(document, selectionColour(), kSelectionOpacity), selection_(selection) {}

bool SelectionOverlay::isAny() const { return selection_.extent() != nullptr; }

void SelectionOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintNodes(paint, selection_.extent()->flags, out);
}

} // namespace pollard::app
