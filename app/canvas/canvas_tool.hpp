#pragma once

#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointF>

#include <optional>

namespace pollard::app {

/// Handles mouse and keyboard on the canvas. Tools get events in the order in which they were added, before the canvas
/// moves its picture; positions are logical px of the canvas.
class CanvasTool {
public:
    CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;
    virtual ~CanvasTool() = default;

    /// Whether it is drawn above the split line and gets events before it.
    [[nodiscard]] virtual bool liesAboveSplit() const { return false; }
    /// Press of the left button. A tool that returns true gets the movements until the release.
    virtual bool press(const QMouseEvent& event) = 0;
    virtual void drag(const QMouseEvent& event) = 0;
    virtual void release(const QMouseEvent& event) = 0;
    /// @returns true if the event is handled
    virtual bool doubleClick(const QMouseEvent& event) = 0;
    /// Movement without a button.
    virtual void hover(QPointF position) = 0;
    /// Cursor at a position; nothing if the tool has no action there.
    [[nodiscard]] virtual std::optional<QCursor> cursorAt(QPointF position) const = 0;
    /// Whether key() handles the key at present, so that it takes precedence over shortcuts.
    [[nodiscard]] virtual bool wantsKey(const QKeyEvent& event) const = 0;
    virtual bool key(const QKeyEvent& event) = 0;
};

} // namespace pollard::app
