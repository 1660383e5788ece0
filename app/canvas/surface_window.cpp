#include "canvas/surface_window.hpp"

#include <QCoreApplication>
#include <QDropEvent>
#include <QEnterEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <utility>

namespace pollard::app {
namespace {

/// Sends a copy of an event and copies its acceptance back.
template <class Event> void send(QObject& receiver, Event&& copy, QEvent& original) {
    QCoreApplication::sendEvent(&receiver, &copy);
    original.setAccepted(copy.isAccepted());
}

template <class Event> void sendDrop(QObject& receiver, Event&& copy, QDropEvent& original) {
    copy.setDropAction(original.dropAction());
    send(receiver, copy, original);
    original.setDropAction(copy.dropAction());
}

} // namespace

SurfaceWindow::SurfaceWindow(std::function<void()> exposed) : exposed_(std::move(exposed)) {
    setSurfaceType(QSurface::OpenGLSurface);
    setFlags(flags() | Qt::WindowTransparentForInput | Qt::WindowDoesNotAcceptFocus);
}

void SurfaceWindow::exposeEvent(QExposeEvent*) {
    if (isExposed()) {
        exposed_();
    }
}

bool SurfaceWindow::event(QEvent* event) { return (parent() != nullptr && handOn(*event)) || QWindow::event(event); }

bool SurfaceWindow::handOn(QEvent& event) {
    QWindow& around = *parent();
    const QPointF corner = position();
    switch (event.type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick: {
        const auto& mouse = static_cast<const QMouseEvent&>(event);
        const QPointF place = mouse.position() + corner;
        QMouseEvent copy(mouse.type(), place, place, mouse.globalPosition(), mouse.button(), mouse.buttons(),
                         mouse.modifiers(), mouse.pointingDevice());
        copy.setTimestamp(mouse.timestamp());
        send(around, copy, event);
        return true;
    }
    case QEvent::Wheel: {
        const auto& wheel = static_cast<const QWheelEvent&>(event);
        QWheelEvent copy(wheel.position() + corner, wheel.globalPosition(), wheel.pixelDelta(), wheel.angleDelta(),
                         wheel.buttons(), wheel.modifiers(), wheel.phase(), wheel.inverted(), wheel.source(),
                         wheel.pointingDevice());
        copy.setTimestamp(wheel.timestamp());
        send(around, copy, event);
        return true;
    }
    case QEvent::Enter: {
        const auto& enter = static_cast<const QEnterEvent&>(event);
        send(around, QEnterEvent(enter.position() + corner, enter.position() + corner, enter.globalPosition()), event);
        return true;
    }
    case QEvent::Leave:
        send(around, QEvent(QEvent::Leave), event);
        return true;
    case QEvent::DragEnter: {
        auto& drag = static_cast<QDragEnterEvent&>(event);
        sendDrop(around,
                 QDragEnterEvent((drag.position() + corner).toPoint(), drag.possibleActions(), drag.mimeData(),
                                 drag.buttons(), drag.modifiers()),
                 drag);
        return true;
    }
    case QEvent::DragMove: {
        auto& drag = static_cast<QDragMoveEvent&>(event);
        sendDrop(around,
                 QDragMoveEvent((drag.position() + corner).toPoint(), drag.possibleActions(), drag.mimeData(),
                                drag.buttons(), drag.modifiers()),
                 drag);
        return true;
    }
    case QEvent::Drop: {
        auto& drop = static_cast<QDropEvent&>(event);
        sendDrop(around,
                 QDropEvent(drop.position() + corner, drop.possibleActions(), drop.mimeData(), drop.buttons(),
                            drop.modifiers()),
                 drop);
        return true;
    }
    case QEvent::DragLeave:
        send(around, QDragLeaveEvent(), event);
        return true;
    default:
        return false;
    }
}

} // namespace pollard::app
