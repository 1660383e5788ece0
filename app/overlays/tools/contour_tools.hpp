#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Moves nodes of the shown contours while playback is stopped and the nodes are far enough apart to be visible. The
/// contour of the node becomes the current contour. Escape puts the node back.
class ContourTool : public CanvasTool {
public:
    /// @param contours must outlive this @param scene returns the current scene
    ContourTool(vm::ContourViewModel& contours, std::function<OverlayScene()> scene);

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    struct Grip {
        int contour = 0;
        int node = 0;
        QPointF place; ///< on the surface
    };
    /// The nearest node that can be grabbed, preferably of the current contour.
    [[nodiscard]] std::optional<Grip> gripAt(QPointF position) const;

    vm::ContourViewModel& contours_;
    std::function<OverlayScene()> scene_;
    QPointF grip_; ///< from the pointer to the node, logical px
};

/// Paints or erases the forbidden area by a drag while the tool is selected; with Shift the opposite. Escape undoes the
/// stroke, then ends the tool.
class ForbiddenTool : public CanvasTool {
public:
    /// @param contours must outlive this @param scene returns the current scene
    ForbiddenTool(vm::ContourViewModel& contours, std::function<OverlayScene()> scene);

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    [[nodiscard]] bool isChosen() const;

    vm::ContourViewModel& contours_;
    std::function<OverlayScene()> scene_;
};

} // namespace pollard::app
