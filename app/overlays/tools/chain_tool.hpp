#pragma once

#include "canvas/canvas_tool.hpp"

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

/// Keys on the canvas while a chain is held: up to the parent, down to the child, left and right to the siblings,
/// Escape releases the chain.
class ChainTool : public CanvasTool {
public:
    /// @param chain must outlive this
    explicit ChainTool(vm::ChainViewModel& chain) : chain_(chain) {}

    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::ChainViewModel& chain_;
};

} // namespace pollard::app
