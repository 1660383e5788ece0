#pragma once

#include "canvas/canvas_tool.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class PixelSizeViewModel;
}

namespace pollard::app {

/// While selected: a drag draws a line over an object of known length, straight with Shift. Return asks for the length
/// without a line, too. Escape removes the line, then ends the tool.
class ScaleLineTool : public CanvasTool {
public:
    /// @param size must outlive this @param scene returns the current scene
    ScaleLineTool(vm::PixelSizeViewModel& size, std::function<OverlayScene()> scene);

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::PixelSizeViewModel& size_;
    std::function<OverlayScene()> scene_;
};

} // namespace pollard::app
