#include "overlays/selection_overlay.hpp"

#include "node_selection.hpp"

namespace pollard::app {
namespace {

constexpr int kOpacity = 90;

} // namespace

SelectionOverlay::SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection)
    : TreeOverlay(document, selectionColour(), kOpacity), selection_(selection) {}

bool SelectionOverlay::isAny() const { return selection_.extent() != nullptr; }

void SelectionOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintNodes(paint, selection_.extent()->flags, out);
}

} // namespace pollard::app
