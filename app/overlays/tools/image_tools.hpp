#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"

#include <functional>

namespace pollard::vm {
class ChainViewModel;
class PicksModel;
class PixelSizeViewModel;
struct ShownSlice;
} // namespace pollard::vm

namespace pollard::app {

/// Handles keys on the canvas while a chain is held: up leads to the parent, down to the child, left and right to the
/// siblings; Escape releases the chain.
class ChainTool : public CanvasTool {
public:
    /// @param chain must outlive this
    explicit ChainTool(vm::ChainViewModel& chain) : chain_(chain) {}

    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::ChainViewModel& chain_;
};

/// Removes the component under a click from the image while components are picked; with Shift keeps it. Escape ends
/// the tool.
class PickTool : public CanvasTool {
public:
    /// @param picks must outlive this @param scene,shown return the current scene and its image
    PickTool(vm::PicksModel& picks, std::function<OverlayScene()> scene, std::function<const vm::ShownSlice&()> shown);

    bool press(const QMouseEvent& event) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

private:
    vm::PicksModel& picks_;
    std::function<OverlayScene()> scene_;
    std::function<const vm::ShownSlice&()> shown_;
};

/// Draws a line over an object of known length by a drag while the tool is selected; with Shift horizontal or vertical.
/// Return asks for the length, even without a line. Escape removes the line, then ends the tool.
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
