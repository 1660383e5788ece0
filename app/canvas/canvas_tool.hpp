#pragma once

#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointF>

#include <optional>

namespace pollard::app {

/// Something that takes part in what mouse and keyboard do on the canvas. Tools are asked in the order in which they
/// were added, and before the canvas moves its picture; positions are logical px of the canvas.
class CanvasTool {
public:
    CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;
    virtual ~CanvasTool() = default;

    /// It is drawn above the split line and is asked before that.
    [[nodiscard]] virtual bool liesAboveSplit() const { return false; }
    /// The left button went down. Who returns true gets the movements until the button is released.
    virtual bool press(const QMouseEvent& event) = 0;
    virtual void drag(const QMouseEvent& event) = 0;
    virtual void release(const QMouseEvent& event) = 0;
    /// True if the canvas must not do with it what it does otherwise.
    virtual bool doubleClick(const QMouseEvent& event) = 0;
    /// The pointer moved without a button.
    virtual void hover(QPointF position) = 0;
    /// Pointer for a place; nothing if the tool has nothing to do there.
    [[nodiscard]] virtual std::optional<QCursor> cursorAt(QPointF position) const = 0;
    /// Whether key() does something with it at present, so that no shortcut takes it.
    [[nodiscard]] virtual bool wantsKey(const QKeyEvent& event) const = 0;
    virtual bool key(const QKeyEvent& event) = 0;
};

} // namespace pollard::app
