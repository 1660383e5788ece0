#pragma once

#include "canvas/canvas_tool.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class PixelSizeViewModel;
}

namespace pollard::app {

/// While it is chosen: a drag draws a line over something of known length, which Shift keeps straight. Return asks for
/// the length in px, too. Escape takes the line back, then ends the tool.
class ScaleLineTool : public CanvasTool {
public:
    /// @param size must outlive this @param scene gives the present one
    ScaleLineTool(vm::PixelSizeViewModel& size, std::function<OverlayScene()> scene);

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    bool doubleClick(const QMouseEvent& event) override { return press(event); }
    void hover(QPointF) override {}
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    bool key(const QKeyEvent& event) override;

private:
    vm::PixelSizeViewModel& size_;
    std::function<OverlayScene()> scene_;
};

} // namespace pollard::app
