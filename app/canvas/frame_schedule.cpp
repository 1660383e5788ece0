#include "canvas/frame_schedule.hpp"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace pollard::app {
namespace {

QEvent::Type frameEvent() {
    static const int type = QEvent::registerEventType();
    return static_cast<QEvent::Type>(type);
}

} // namespace

FrameSchedule::FrameSchedule(QWidget& surface, ExpectedTime expectedTime)
    : surface_(surface), expectedTime_(std::move(expectedTime)) {
    patience_.setSingleShot(true);
    connect(&patience_, &QTimer::timeout, this, [this] {
        releaseWindowFrame();
        windowFrame_ = WindowFrame::overdue;
    });
}

FrameSchedule::~FrameSchedule() { releaseWindowFrame(); }

void FrameSchedule::requestDrawing() {
    requestShowing();
    request_ = Request::draw;
}

void FrameSchedule::requestShowing() {
    if (request_ == Request::none) {
        request_ = Request::show;
        postRequest();
    }
}

void FrameSchedule::postRequest() {
    // Queued after a pending paint request of the window, so that one frame shows both.
    QCoreApplication::postEvent(this, new QEvent(frameEvent()), Qt::LowEventPriority - 1);
}

void FrameSchedule::takeResult() {
    if (windowFrame_ == WindowFrame::overdue) {
        windowFrame_ = WindowFrame::onTime;
    }
}

void FrameSchedule::followWindow() {
    if (window_ != surface_.window()) {
        if (window_) {
            window_->removeEventFilter(this);
        }
        window_ = surface_.window();
        window_->installEventFilter(this);
    }
}

bool FrameSchedule::holdsBack() {
    const auto time = expectedTime_();
    if (request_ == Request::draw || windowFrame_ == WindowFrame::overdue || !time || *time >= kPatience ||
        !surface_.isVisible()) {
        return false;
    }
    if (!patience_.isActive()) {
        patience_.start(kPatience);
    }
    windowFrame_ = WindowFrame::heldBack;
    return true;
}

void FrameSchedule::releaseWindowFrame() {
    if (windowFrame_ == WindowFrame::heldBack) {
        windowFrame_ = WindowFrame::onTime;
        if (window_) {
            QCoreApplication::postEvent(window_, new QEvent(QEvent::UpdateRequest), Qt::LowEventPriority);
        }
    }
}

bool FrameSchedule::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::UpdateRequest) {
        if (holdsBack()) {
            return true;
        }
        patience_.stop();
        if (windowFrame_ == WindowFrame::heldBack ||
            !expectedTime_()) { // otherwise every frame would wait for a long computation
            windowFrame_ = WindowFrame::onTime;
        }
    }
    return QObject::eventFilter(watched, event);
}

void FrameSchedule::customEvent(QEvent* event) {
    if (event->type() != frameEvent()) {
        return;
    }
    if (windowFrame_ == WindowFrame::heldBack && request_ == Request::draw) {
        releaseWindowFrame();
        postRequest(); // after the window's frame
    } else {
        emit due(std::exchange(request_, Request::none) == Request::draw);
    }
}

} // namespace pollard::app
