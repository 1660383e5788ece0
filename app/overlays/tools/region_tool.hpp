#pragma once

#include "canvas/canvas_tool.hpp"
#include "overlays/overlay.hpp"

#include "image/region_shape.hpp"

#include <QObject>

#include <functional>
#include <optional>

namespace pollard::vm {
class RegionViewModel;
}

namespace pollard::app {

/// Draws, moves and resizes shapes with mouse and keyboard while a drawing tool is chosen.
///
/// Mouse: a drag draws a rectangle or an ellipse (Shift: equal sides), clicks set the corners of a polygon; a drag
/// within a shape moves it, at a handle resizes it. Keys: the arrows move a cross, or the selected shape (Ctrl: resize
/// it, Shift: by ten px); Space does what a click at the cross does; Return finishes, Backspace takes the last corner
/// back, Escape cancels, then gives the selection up.
class RegionTool : public QObject, public CanvasTool {
    Q_OBJECT

public:
    using SceneFunction = std::function<OverlayScene()>;

    /// @param region must outlive this @param scene tells the present one
    RegionTool(vm::RegionViewModel& region, SceneFunction scene, QObject* parent = nullptr);

    /// Where the keyboard draws, in px of the picture.
    [[nodiscard]] std::optional<QPointF> keyPoint() const noexcept { return keyPoint_; }

    bool press(const QMouseEvent& event) override;
    void drag(const QMouseEvent& event) override;
    void release(const QMouseEvent& event) override;
    bool doubleClick(const QMouseEvent& event) override;
    void hover(QPointF position) override;
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override;
    [[nodiscard]] bool wantsKey(const QKeyEvent& event) const override;
    bool key(const QKeyEvent& event) override;

signals:
    void keyPointMoved();

private:
    enum class Drag { none, draft, shape, handle };

    [[nodiscard]] bool isActive() const;
    [[nodiscard]] std::optional<std::size_t> handleAt(QPointF position) const;
    /// The shape of the region that can be moved there; -1 if there is none.
    [[nodiscard]] int shapeAt(QPointF image) const;
    [[nodiscard]] bool nearFirstCorner(QPointF position) const;
    void click(QPointF image);
    void moveByKey(const QKeyEvent& event);
    void setKeyPoint(std::optional<QPointF> image);

    vm::RegionViewModel& region_;
    SceneFunction scene_;
    Drag drag_ = Drag::none;
    QPointF pressed_; ///< px of the picture
    std::size_t handle_ = 0;
    std::optional<RegionShape> base_; ///< the selected shape when the drag began
    std::optional<QPointF> keyPoint_;
};

} // namespace pollard::app
