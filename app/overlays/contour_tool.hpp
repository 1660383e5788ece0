#pragma once

#include "canvas/canvas_tool.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Moves nodes of the contour that is shown, while it does not play and they are far enough apart to be seen. Escape
/// puts the node back.
class ContourTool : public CanvasTool {
public:
    /// @param contours must outlive this @param scene tells the present one
    ContourTool(vm::ContourViewModel& contours, std::function<OverlayScene()> scene);

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    bool doubleClick(const QMouseEvent& event) override { return press(event); }
    void hover(QPointF) override {}
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    bool key(const QKeyEvent& event) override;

private:
    /// The nearest node that can be taken hold of.
    [[nodiscard]] std::optional<int> nodeAt(QPointF position) const;

    vm::ContourViewModel& contours_;
    std::function<OverlayScene()> scene_;
    QPointF grip_; ///< from the pointer to the node, logical px
};

} // namespace pollard::app
