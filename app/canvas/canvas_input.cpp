#include "canvas/canvas_input.hpp"

#include "gl/image_part.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

constexpr double kKeyStep = 48.0;      ///< logical px per arrow key
constexpr int kNotch = 120;            ///< units of the wheel
constexpr double kWheelZoom = 1.2;     ///< factor per notch
constexpr double kSplitKeyStep = 0.02; ///< fraction of the view's width

} // namespace

CanvasInput::CanvasInput(QWidget& surface, vm::DisplayViewModel& display)
    : surface_(surface), display_(display), split_(surface, display) {
    surface_.installEventFilter(this);
    connect(&display_, &vm::DisplayViewModel::viewChanged, this, &CanvasInput::reportPointer);
}

void CanvasInput::setHasImage(bool hasImage) {
    hasImage_ = hasImage;
    reportPointer();
}

QPointF CanvasInput::toImage(QPointF position) const {
    return ImagePart::of(display_.view()).toImage(toDevice(position));
}

void CanvasInput::reportPointer() {
    if (hasImage_ && pointer_) {
        emit pointerMoved(toImage(*pointer_));
    }
}

CanvasTool* CanvasInput::firstTool(const std::function<bool(CanvasTool&)>& accepts) const {
    const auto end = hasImage_ ? tools_.end() : tools_.begin();
    const auto found = std::find_if(tools_.begin(), end, [&](CanvasTool* tool) { return accepts(*tool); });
    return found != end ? *found : nullptr;
}

void CanvasInput::showCursorFor(QPointF position) {
    std::optional<QCursor> cursor;
    firstTool([&](const CanvasTool& tool) { return (cursor = tool.cursorAt(position)).has_value(); });
    if (cursor) {
        surface_.setCursor(*cursor);
    } else {
        surface_.unsetCursor();
    }
}

bool CanvasInput::press(const QMouseEvent& event) {
    if (!hasImage_ || (event.button() != Qt::LeftButton && event.button() != Qt::MiddleButton)) {
        return false;
    }
    lastPosition_ = event.position();
    clickPosition_.reset();
    const bool left = event.button() == Qt::LeftButton;
    activeTool_ = left ? firstTool([&](CanvasTool& tool) { return tool.press(event); }) : nullptr;
    if (activeTool_ != nullptr) {
        drag_ = Drag::tool;
    } else {
        drag_ = Drag::image;
        if (left) {
            clickPosition_ = event.position();
        }
        surface_.setCursor(Qt::ClosedHandCursor);
    }
    return true;
}

void CanvasInput::move(const QMouseEvent& event) {
    const QPointF position = event.position();
    if (clickPosition_ && (position - *clickPosition_).manhattanLength() >= QApplication::startDragDistance()) {
        clickPosition_.reset();
    }
    switch (drag_) {
    case Drag::image:
        display_.pan(toDevice(position - lastPosition_));
        break;
    case Drag::tool:
        activeTool_->drag(event);
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
    reportPointer();
}

void CanvasInput::release(const QMouseEvent& event) {
    if (event.buttons() == Qt::NoButton) {
        if (activeTool_ != nullptr) {
            std::exchange(activeTool_, nullptr)->release(event);
        }
        drag_ = Drag::none;
        showCursorFor(event.position());
        if (const auto place = std::exchange(clickPosition_, std::nullopt); place && hasImage_) {
            emit clicked(toImage(*place), event.modifiers());
        }
    }
}

void CanvasInput::doubleClick(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || !hasImage_) {
        return;
    }
    if (firstTool([&](CanvasTool& tool) { return tool.doubleClick(event); }) == nullptr) {
        display_.fit();
    }
}

bool CanvasInput::wheel(const QWheelEvent& event) {
    const int delta = event.angleDelta().y();
    if (delta == 0 || !hasImage_) {
        return false;
    }
    CanvasTool* const tool = event.modifiers() == Qt::NoModifier
                                 ? firstTool([](const CanvasTool& each) { return each.takesWheel(); })
                                 : nullptr;
    if (tool != nullptr || event.modifiers().testFlag(Qt::ShiftModifier)) {
        turned_ += delta;
        if (const int notches = turned_ / kNotch; notches != 0) {
            turned_ -= notches * kNotch;
            if (tool != nullptr) {
                tool->turn(notches);
            } else {
                emit stepped(notches);
            }
        }
        return true;
    }
    pointer_ = event.position();
    display_.zoomAbout(toDevice(event.position()), std::pow(kWheelZoom, delta / static_cast<double>(kNotch)));
    reportPointer();
    return true;
}

bool CanvasInput::key(const QKeyEvent& event) {
    if (CanvasTool* tool = firstTool([&](CanvasTool& t) { return t.wantsKey(event); })) {
        tool->key(event);
        return true;
    }
    const double step = kKeyStep * surface_.devicePixelRatioF();
    const bool moveSplit = display_.isSplitEnabled() && event.modifiers().testFlag(Qt::ShiftModifier);
    QPointF delta;
    switch (event.key()) {
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
        return false;
    }
    if (moveSplit && delta.x() != 0) {
        display_.setSplitPosition(
            std::clamp(display_.splitPosition() + (delta.x() < 0 ? kSplitKeyStep : -kSplitKeyStep), 0.0, 1.0));
    } else {
        display_.pan(delta);
    }
    return true;
}

bool CanvasInput::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return press(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        move(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonRelease:
        release(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonDblClick:
        doubleClick(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::Wheel:
        return wheel(*static_cast<QWheelEvent*>(event));
    case QEvent::KeyPress:
        return key(*static_cast<QKeyEvent*>(event));
    case QEvent::ShortcutOverride:
        if (firstTool([&](CanvasTool& t) { return t.wantsKey(*static_cast<QKeyEvent*>(event)); }) == nullptr) {
            return false;
        }
        event->accept();
        return true;
    case QEvent::Leave:
        pointer_.reset();
        emit pointerLeft();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace pollard::app
