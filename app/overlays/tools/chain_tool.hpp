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

    bool press(const QMouseEvent&) override { return false; }
    void drag(const QMouseEvent&) override {}
    void release(const QMouseEvent&) override {}
    bool doubleClick(const QMouseEvent&) override { return false; }
    void hover(QPointF) override {}
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF) const override { return std::nullopt; }
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    bool key(const QKeyEvent& event) override;

private:
    vm::ChainViewModel& chain_;
};

} // namespace pollard::app
