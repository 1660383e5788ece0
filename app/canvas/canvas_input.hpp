#pragma once

#include "vm/display/display_view_model.hpp"

#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QObject>
#include <QPointF>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

class QWheelEvent;

namespace pollard::app {

/// Handles mouse and keyboard on the canvas. Tools get events in the order in which they were added, before the canvas
/// moves its image; positions are logical px of the canvas.
class CanvasTool {
public:
    CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;
    virtual ~CanvasTool() = default;

    /// Handles a press of the left button. A tool that returns true gets the movements until the release.
    virtual bool press(const QMouseEvent&) { return false; }
    virtual void drag(const QMouseEvent&) {}
    virtual void release(const QMouseEvent&) {}
    /// Handles a double click; calls press() unless overridden. @returns true if the event is handled
    virtual bool doubleClick(const QMouseEvent& event) { return press(event); }
    /// Whether the wheel belongs to the tool at present.
    [[nodiscard]] virtual bool takesWheel() const { return false; }
    /// Handles the wheel while takesWheel(). @param notches upwards positive
    virtual void turn(int /*notches*/) {}
    /// Handles a movement without a button.
    virtual void hover(QPointF) {}
    /// Cursor at a position; nothing if the tool does nothing there.
    [[nodiscard]] virtual std::optional<QCursor> cursorAt(QPointF) const { return std::nullopt; }
    /// Whether the tool uses the key at present, so that it takes precedence over shortcuts.
    [[nodiscard]] virtual bool wantsKey(const QKeyEvent&) const { return false; }
    /// Handles a key for which wantsKey() is true.
    virtual void key(const QKeyEvent&) {}
};

/// Drags the line between the image and its filtered version.
class SplitTool : public CanvasTool {
public:
    /// @param surface,display must outlive this
    SplitTool(const QWidget& surface, vm::DisplayViewModel& display) : surface_(surface), display_(display) {}

    bool press(const QMouseEvent& event) override { return isNear(event.position()); }
    void drag(const QMouseEvent& event) override {
        display_.setSplitPosition(std::clamp(event.position().x() / std::max(surface_.width(), 1), 0.0, 1.0));
    }
    [[nodiscard]] std::optional<QCursor> cursorAt(QPointF position) const override {
        return isNear(position) ? std::optional(QCursor(Qt::SplitHCursor)) : std::nullopt;
    }

private:
    static constexpr double kReach = 9; ///< logical px around the line within which a press grabs it

    [[nodiscard]] bool isNear(QPointF position) const {
        return display_.isSplitEnabled() &&
               std::abs(position.x() - display_.splitPosition() * surface_.width()) <= kReach;
    }

    const QWidget& surface_;
    vm::DisplayViewModel& display_;
};

/// Mouse, wheel and keys of a surface with an image: an event goes to the first tool that takes it, else it moves the
/// view or the split line. The view of DisplayViewModel is in device px.
class CanvasInput : public QObject {
    Q_OBJECT

public:
    /// @param surface its events are filtered, its cursor is set @param surface,display must outlive this
    CanvasInput(QWidget& surface, vm::DisplayViewModel& display);

    /// Adds a tool, which must outlive this; events go to the first added.
    void addTool(CanvasTool& tool) { tools_.push_back(&tool); }
    /// Adds a tool that gets events first, even on the split line.
    void addToolAboveSplit(CanvasTool& tool) { tools_.insert(tools_.begin(), &tool); }
    void setHasImage(bool hasImage);

signals:
    /// Position of the pointer in px of the image, possibly outside; also when the image moves below it.
    void pointerMoved(const QPointF& image);
    void pointerLeft();
    /// The wheel was turned with Shift by this many notches, upwards positive.
    void stepped(int notches);
    /// Click with the left button without movement, px of the image, not handled by a tool.
    void clicked(const QPointF& image, Qt::KeyboardModifiers modifiers);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { none, image, tool };

    [[nodiscard]] QPointF toDevice(QPointF position) const { return position * surface_.devicePixelRatioF(); }
    [[nodiscard]] QPointF toImage(QPointF position) const;
    /// press(), wheel() and key() return whether the event is handled.
    bool press(const QMouseEvent& event);
    bool wheel(const QWheelEvent& event);
    bool key(const QKeyEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void doubleClick(const QMouseEvent& event);
    /// The first tool that accepts an event; null for none, and without an image.
    CanvasTool* firstTool(const std::function<bool(CanvasTool&)>& accepts) const;
    void showCursorFor(QPointF position);
    void reportPointer();

    QWidget& surface_;
    vm::DisplayViewModel& display_;
    SplitTool split_;
    std::vector<CanvasTool*> tools_{&split_};
    CanvasTool* activeTool_ = nullptr; ///< handles the movements of the drag
    Drag drag_ = Drag::none;
    QPointF lastPosition_;
    std::optional<QPointF> clickPosition_; ///< position of the press of the left button, until the pointer moves
    std::optional<QPointF> pointer_;       ///< while it is over the surface
    int turned_ = 0;                       ///< by the wheel with Shift, less than a notch: 120 units
    bool hasImage_ = false;
};

} // namespace pollard::app
