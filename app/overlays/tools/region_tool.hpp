#pragma once

#include "canvas/canvas_input.hpp"
#include "overlays/overlay.hpp"

#include "image/region_shape.hpp"

#include <QObject>

#include <functional>
#include <optional>

namespace pollard::vm {
class RegionViewModel;
}

namespace pollard::app {

/// Draws, moves and resizes shapes with mouse and keyboard while a drawing tool is selected.
///
/// Mouse: a drag draws a rectangle or an ellipse (Shift: equal sides), clicks set the corners of a polygon; a drag
/// inside a shape moves it, at a handle resizes it. Keys: arrows move a crosshair, or the selected shape (Ctrl: resize,
/// Shift: by ten px); Space acts like a click at the crosshair; Return finishes, Backspace removes the last corner,
/// Escape cancels, then clears the selection.
class RegionTool : public QObject, public CanvasTool {
    Q_OBJECT

public:
    using SceneFunction = std::function<OverlayScene()>;

    /// @param region must outlive this @param scene returns the current scene
    RegionTool(vm::RegionViewModel& region, SceneFunction scene, QObject* parent = nullptr);

    /// Position of the keyboard's crosshair, in px of the image.
    [[nodiscard]] std::optional<QPointF> keyPoint() const noexcept { return keyPoint_; }

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    bool doubleClick(const QMouseEvent& event) override;
    void hover(QPointF position) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    void key(const QKeyEvent& event) override;

signals:
    void keyPointMoved();

private:
    enum class Drag { none, draft, shape, handle };

    [[nodiscard]] bool isActive() const;
    [[nodiscard]] std::optional<std::size_t> handleAt(QPointF position) const;
    /// The shape of the region that can be moved at this position; -1 for none.
    [[nodiscard]] int shapeAt(QPointF image) const;
    [[nodiscard]] bool nearFirstCorner(QPointF position) const;
    void click(QPointF image);
    void moveByKey(const QKeyEvent& event);
    void setKeyPoint(std::optional<QPointF> image);

    vm::RegionViewModel& region_;
    SceneFunction scene_;
    Drag drag_ = Drag::none;
    QPointF pressed_; ///< px of the image
    std::size_t handle_ = 0;
    std::optional<RegionShape> base_; ///< the selected shape at the start of the drag
    std::optional<QPointF> keyPoint_;
};

} // namespace pollard::app
