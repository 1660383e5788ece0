#pragma once

#include "overlays/tree_overlay.hpp"

namespace pollard::vm {
class NodeSelection;
}

namespace pollard::app {

/// Colour of the selection in all views, distinct from the amber of the current component.
[[nodiscard]] constexpr QRgb selectionColour() { return qRgba(0, 200, 255, 255); }

inline constexpr int kSelectionOpacity = 90; ///< of the tint in the picture, 0 .. 255

/// All selected components.
class SelectionOverlay : public TreeOverlay {
public:
    /// @param document,selection must outlive this
    SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection);

protected:
    [[nodiscard]] bool isAny() const override;
    void fill(const NodePaint& paint, std::span<std::uint32_t> out) const override;

private:
    const vm::NodeSelection& selection_;
};

} // namespace pollard::app
