#include "overlays/component_overlay.hpp"

#include "chain_view_model.hpp"

namespace pollard::app {
namespace {

constexpr QRgb kColour = qRgba(255, 196, 0, 255); // amber is seen on grey pictures and on the residue's colours
constexpr int kOpacity = 70;

} // namespace

ComponentOverlay::ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain)
    : TreeOverlay(document, kColour, kOpacity), chain_(chain) {}

bool ComponentOverlay::isAny() const { return chain_.node().has_value(); }

void ComponentOverlay::fill(const NodePaint& paint, std::span<std::uint32_t> out) const {
    paintComponent(paint, *chain_.node(), out);
}

} // namespace pollard::app
