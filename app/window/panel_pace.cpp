#include "window/panel_pace.hpp"

#include "canvas/canvas.hpp"

#include <QEvent>

#include <utility>

namespace pollard::app {

PanelPace::PanelPace(Canvas& canvas, QObject* parent) : QObject(parent), canvas_(canvas) {
    rest_.setSingleShot(true);
    rest_.setInterval(kRest);
    rest_.setTimerType(Qt::PreciseTimer);
    connect(&rest_, &QTimer::timeout, this, &PanelPace::release);
    connect(&canvas_, &QOpenGLWidget::frameSwapped, this, &PanelPace::onSwap);
    canvas_.installEventFilter(this);
    period_.start();
}

void PanelPace::hold() {
    rest_.start();
    // What is about to be painted must be painted.
    if (!isReleasing_ && !std::exchange(isHolding_, true)) {
        for (const auto& panel : panels_) {
            if (panel && panel->isVisible()) {
                panel->setUpdatesEnabled(false);
            }
        }
    }
    QMetaObject::invokeMethod(this, &PanelPace::lookAtCanvas, Qt::QueuedConnection); // the movement is yet to come
}

void PanelPace::lookAtCanvas() {
    if (canvas_.isUpToDate()) {
        release();
    }
}

void PanelPace::release() {
    if (!std::exchange(isHolding_, false)) {
        return;
    }
    isReleasing_ = true;
    period_.start();
    for (const auto& panel : panels_) {
        if (panel && !panel->updatesEnabled()) {
            panel->setUpdatesEnabled(true);
        }
    }
}

void PanelPace::onSwap() {
    if (std::exchange(isReleasing_, false)) {
        emit panelsShown();
    }
    if (isHolding_ && period_.hasExpired(kPeriod)) {
        release();
    }
}

bool PanelPace::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        hold();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace pollard::app
