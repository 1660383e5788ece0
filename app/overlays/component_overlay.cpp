#include "overlays/component_overlay.hpp"

#include "canvas/component_light.hpp"
#include "vm/tree/chain_view_model.hpp"

namespace pollard::app {

ComponentOverlay::ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain)
    : TreeOverlay(document, ComponentLight::kColour, ComponentLight::kOpacity), chain_(chain) {}

bool ComponentOverlay::isAny() const { return chain_.node().has_value(); }

void ComponentOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintComponent(paint, *chain_.node(), out);
}

} // namespace pollard::app
