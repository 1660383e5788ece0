#pragma once

#include "canvas/canvas_tool.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class StainPicks;
}

namespace pollard::app {

/// While stains are picked: a drag or a click chooses a part of the image, whose rectangles are shown with their
/// numbers. Escape drops the rectangle being drawn, then ends picking.
class StainOverlay : public Overlay, public CanvasTool {
public:
    /// @param stains must outlive this @param scene returns the current scene for pointer events
    StainOverlay(vm::StainPicks& stains, std::function<OverlayScene()> scene);

    [[nodiscard]] QRegion area(const OverlayScene& scene) const override;
    void paint(QPainter& painter, const OverlayScene& scene) override;
    [[nodiscard]] bool isAnnotation() const override { return false; }

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::StainPicks& stains_;
    std::function<OverlayScene()> scene_;
};

} // namespace pollard::app
