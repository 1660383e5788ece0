#pragma once

#include "canvas/canvas_tool.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class PicksModel;
}

namespace pollard::app {

/// While picking: a click removes the component at its position from the picture, with Shift keeps it. Escape ends the
/// tool.
class PickTool : public CanvasTool {
public:
    /// @param picks must outlive this @param scene returns the current scene
    PickTool(vm::PicksModel& picks, std::function<OverlayScene()> scene);

    bool press(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::PicksModel& picks_;
    std::function<OverlayScene()> scene_;
};

} // namespace pollard::app
