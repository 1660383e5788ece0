#pragma once

#include "overlays/tree_overlay.hpp"

namespace pollard::vm {
class NodeSelection;
}

namespace pollard::app {

/// Of what is selected, wherever it is shown: apart from the amber of the current component.
[[nodiscard]] constexpr QRgb selectionColour() { return qRgba(0, 200, 255, 255); }

inline constexpr int kSelectionOpacity = 90; ///< of the tint in the picture, 0 .. 255

/// All components that are selected.
class SelectionOverlay : public TreeOverlay {
public:
    /// Both must outlive this.
    SelectionOverlay(const vm::DocumentViewModel& document, const vm::NodeSelection& selection);

protected:
    [[nodiscard]] bool isAny() const override;
    void fill(const NodePaint& paint, std::span<std::uint32_t> out) const override;

private:
    const vm::NodeSelection& selection_;
};

} // namespace pollard::app
