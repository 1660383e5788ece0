#pragma once

#include "overlays/tree_overlay.hpp"

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

/// The current component of the chain, highlighted in the picture.
class ComponentOverlay : public TreeOverlay {
public:
    /// @param document,chain must outlive this
    ComponentOverlay(const vm::DocumentViewModel& document, const vm::ChainViewModel& chain);

protected:
    [[nodiscard]] bool isAny() const override;
    void fill(const NodePaint& paint, std::span<std::uint32_t> out) const override;

private:
    const vm::ChainViewModel& chain_;
};

} // namespace pollard::app
