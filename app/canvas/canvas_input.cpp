// Mouse, wheel and keyboard of the canvas.
#include "canvas/canvas.hpp"

#include "canvas/canvas_tool.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace pollard::app {
namespace {

constexpr double kSplitReach = 9.0;    ///< logical px around the split line within which a press grabs it
constexpr double kKeyStep = 48.0;      ///< logical px per arrow key
constexpr double kWheelZoom = 1.2;     ///< factor per notch of the wheel (120 units)
constexpr double kSplitKeyStep = 0.02; ///< fraction of the view's width

} // namespace

bool Canvas::nearSplit(QPointF position) const {
    return image_ && display_.isSplitEnabled() &&
           std::abs(position.x() - display_.splitPosition() * width()) <= kSplitReach;
}

void Canvas::tellPointer() {
    if (image_ && pointer_) {
        emit pointerMoved((toDevice(*pointer_) - origin()) / display_.zoom());
    }
}

CanvasTool* Canvas::toolFor(const QMouseEvent& event, bool aboveSplit) const {
    for (CanvasTool* tool : tools_) {
        if (tool->liesAboveSplit() == aboveSplit && tool->press(event)) {
            return tool;
        }
    }
    return nullptr;
}

void Canvas::showCursorFor(QPointF position) {
    const auto offer = [&](bool aboveSplit) -> std::optional<QCursor> {
        for (const CanvasTool* tool : tools_) {
            if (tool->liesAboveSplit() == aboveSplit) {
                if (auto cursor = tool->cursorAt(position)) {
                    return cursor;
                }
            }
        }
        return std::nullopt;
    };
    std::optional<QCursor> cursor;
    if (image_) {
        cursor = offer(true);
        if (!cursor && nearSplit(position)) {
            cursor = QCursor(Qt::SplitHCursor);
        }
        if (!cursor) {
            cursor = offer(false);
        }
    }
    if (cursor) {
        setCursor(*cursor);
    } else {
        unsetCursor();
    }
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    if (!image_ || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)) {
        GlSurface::mousePressEvent(event);
        return;
    }
    lastPosition_ = event->position();
    clickPosition_.reset();
    const bool left = event->button() == Qt::LeftButton;
    activeTool_ = left ? toolFor(*event, true) : nullptr;
    if (activeTool_ == nullptr && left && nearSplit(event->position())) {
        drag_ = Drag::split;
        return;
    }
    if (activeTool_ == nullptr && left) {
        activeTool_ = toolFor(*event, false);
    }
    if (activeTool_ != nullptr) {
        drag_ = Drag::tool;
    } else {
        drag_ = Drag::picture;
        if (left) {
            clickPosition_ = event->position();
        }
        setCursor(Qt::ClosedHandCursor);
    }
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF position = event->position();
    if (clickPosition_ && (position - *clickPosition_).manhattanLength() >= QApplication::startDragDistance()) {
        clickPosition_.reset();
    }
    switch (drag_) {
    case Drag::split:
        display_.setSplitPosition(std::clamp(position.x() / std::max(width(), 1), 0.0, 1.0));
        break;
    case Drag::picture:
        display_.pan(toDevice(position - lastPosition_));
        break;
    case Drag::tool:
        activeTool_->drag(*event);
        break;
    case Drag::none:
        for (CanvasTool* tool : tools_) {
            tool->hover(position);
        }
        showCursorFor(position);
        break;
    }
    lastPosition_ = position;
    pointer_ = position;
    tellPointer();
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) {
        if (activeTool_ != nullptr) {
            std::exchange(activeTool_, nullptr)->release(*event);
        }
        drag_ = Drag::none;
        showCursorFor(event->position());
        if (const auto place = std::exchange(clickPosition_, std::nullopt); place && image_) {
            emit clicked((toDevice(*place) - origin()) / display_.zoom(), event->modifiers());
        }
    }
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !image_) {
        return;
    }
    const auto taken = [&](bool aboveSplit) {
        return std::any_of(tools_.begin(), tools_.end(), [&](CanvasTool* tool) {
            return tool->liesAboveSplit() == aboveSplit && tool->doubleClick(*event);
        });
    };
    if (!taken(true) && !nearSplit(event->position()) && !taken(false)) {
        display_.fit();
    }
}

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && image_) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        if (std::any_of(tools_.begin(), tools_.end(), [&](CanvasTool* tool) { return tool->wantsKey(key); })) {
            event->accept();
            return true;
        }
    }
    return GlSurface::event(event);
}

void Canvas::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y();
    if (delta == 0 || !image_) {
        event->ignore();
        return;
    }
    pointer_ = event->position();
    display_.zoomAbout(toDevice(event->position()), std::pow(kWheelZoom, delta / 120.0));
    tellPointer();
    event->accept();
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    if (image_ && std::any_of(tools_.begin(), tools_.end(), [&](CanvasTool* tool) { return tool->key(*event); })) {
        return;
    }
    const double step = kKeyStep * devicePixelRatioF();
    const bool moveSplit = display_.isSplitEnabled() && event->modifiers().testFlag(Qt::ShiftModifier);
    QPointF delta;
    switch (event->key()) {
    case Qt::Key_Left:
        delta.setX(step);
        break;
    case Qt::Key_Right:
        delta.setX(-step);
        break;
    case Qt::Key_Up:
        delta.setY(step);
        break;
    case Qt::Key_Down:
        delta.setY(-step);
        break;
    default:
        GlSurface::keyPressEvent(event);
        return;
    }
    if (moveSplit && delta.x() != 0) {
        display_.setSplitPosition(
            std::clamp(display_.splitPosition() + (delta.x() < 0 ? kSplitKeyStep : -kSplitKeyStep), 0.0, 1.0));
        return;
    }
    display_.pan(delta);
}

void Canvas::leaveEvent(QEvent* event) {
    GlSurface::leaveEvent(event);
    pointer_.reset();
    emit pointerLeft();
}

} // namespace pollard::app
