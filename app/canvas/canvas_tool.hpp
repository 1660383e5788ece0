#pragma once

#include <QCursor>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointF>

#include <optional>

namespace pollard::app {

/// Handles mouse and keyboard on the canvas. Tools get events in the order in which they were added, before the canvas
/// moves its image; positions are logical px of the canvas.
class CanvasTool {
public:
    CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;
    virtual ~CanvasTool() = default;

    /// Press of the left button. A tool that returns true gets the movements until the release.
    virtual bool press(const QMouseEvent&) { return false; }
    virtual void drag(const QMouseEvent&) {}
    virtual void release(const QMouseEvent&) {}
    /// @returns true if the event is handled; like a press, unless overridden
    virtual bool doubleClick(const QMouseEvent& event) { return press(event); }
    /// Movement without a button.
    virtual void hover(QPointF) {}
    /// Cursor at a position; nothing if the tool has no action there.
    [[nodiscard]] virtual std::optional<QCursor> cursorAt(QPointF) const { return std::nullopt; }
    /// Whether the tool uses the key at present, so that it takes precedence over shortcuts.
    [[nodiscard]] virtual bool wantsKey(const QKeyEvent&) const { return false; }
    /// A key for which wantsKey() is true.
    virtual void key(const QKeyEvent&) {}
};

} // namespace pollard::app
