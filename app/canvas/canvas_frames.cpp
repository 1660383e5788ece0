// When the canvas is drawn, and when the window around it.
#include "canvas/canvas.hpp"

#include <QCoreApplication>

#include <utility>

namespace pollard::app {
namespace {

/// A result is on the screen together with the movement of its control if it comes within this time, in ms.
constexpr int kResultPatience = 10;

QEvent::Type frameEvent() {
    static const int type = QEvent::registerEventType();
    return static_cast<QEvent::Type>(type);
}

} // namespace

void Canvas::wantFrame() {
    isFrameWanted_ = true;
    askForFrame();
}

void Canvas::askForFrame() {
    if (!std::exchange(isFrameAsked_, true)) {
        // After the window's request to be painted, if there is one: then its frame and the canvas's are one.
        QCoreApplication::postEvent(this, new QEvent(frameEvent()), Qt::LowEventPriority - 1);
    }
}

void Canvas::followWindow() {
    if (window_ != window()) {
        if (window_) {
            window_->removeEventFilter(this);
        }
        window_ = window();
        window_->installEventFilter(this);
    }
}

bool Canvas::holdsBack() {
    const bool isQuick = document_.hasResult() && document_.shown().frame.report.milliseconds < kResultPatience;
    if (isFrameWanted_ || isPatienceOver_ || !isQuick || !document_.activity().isFiltering() || !isVisible()) {
        return false;
    }
    if (!patience_.isActive()) {
        patience_.start(kResultPatience);
    }
    isWindowWaiting_ = true;
    return true;
}

void Canvas::giveFrame() {
    if (std::exchange(isWindowWaiting_, false) && window_) {
        QCoreApplication::postEvent(window_, new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
    }
}

bool Canvas::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::UpdateRequest) {
        if (holdsBack()) {
            return true;
        }
        patience_.stop();
        isWindowWaiting_ = false;
        isPatienceOver_ =
            isPatienceOver_ && document_.activity().isFiltering(); // or every frame would wait for a long one
    }
    return GlSurface::eventFilter(watched, event);
}

void Canvas::customEvent(QEvent* event) {
    if (event->type() != frameEvent()) {
        return;
    }
    isFrameAsked_ = false;
    if (isWindowWaiting_ && isFrameWanted_) {
        giveFrame();
        askForFrame(); // after it
    } else {
        showFrame(std::exchange(isFrameWanted_, false)); // while it is hidden nothing: showing it draws it
    }
}

} // namespace pollard::app
