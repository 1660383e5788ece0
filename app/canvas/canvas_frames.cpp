// Timing of frames of the canvas and of the window.
#include "canvas/canvas.hpp"

#include <QCoreApplication>

#include <utility>

namespace pollard::app {
namespace {

/// A result that arrives within this time, in ms, is shown in one frame with the movement of its control.
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
        // After a pending paint request of the window, so that both are shown in one frame.
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
    const bool isQuick = document_.hasResult() && document_.filterReport().milliseconds < kResultPatience;
    if (isFrameWanted_ || isPatienceOver_ || !isQuick || !document_.isFiltering() || !isVisible()) {
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
            isPatienceOver_ && document_.isFiltering(); // prevents every frame from waiting during a long filter
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
        askForFrame(); // after the window's frame
    } else {
        showFrame(std::exchange(isFrameWanted_, false)); // no effect while hidden: exposing draws
    }
}

} // namespace pollard::app
