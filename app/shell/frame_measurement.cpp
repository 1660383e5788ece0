#include "shell/frame_measurement.hpp"

#include "canvas/canvas.hpp"
#include "shell/settled.hpp"
#include "window/main_window.hpp"

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000; ///< ms for one frame

} // namespace

FrameMeasurement::FrameMeasurement(Models& models, MainWindow& window, int frames, QString what, QObject* parent)
    : QObject(parent), models_(models), window_(window), wanted_(frames), what_(std::move(what)) {
    if (window_.canvas() == nullptr) {
        QMetaObject::invokeMethod(
            this, [this] { finish(window_.canvasProblem()); }, Qt::QueuedConnection);
        return;
    }
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this,
            [this] { finish(QStringLiteral("measure %1: no frame within %2 s").arg(what_).arg(kPatience / 1000)); });
    whenSettling(models_, window_, this, [this] { startWhenReady(); });
    connect(window_.canvas(), &GlSurface::frameSwapped, this, &FrameMeasurement::onSwap);
    connect(&window_, &MainWindow::canvasFailed, this, &FrameMeasurement::finish);
}

void FrameMeasurement::startWhenReady() {
    if (running_ || ended_ || !isSettled(models_, window_)) {
        return;
    }
    running_ = true;
    clock_.start();
    prepare();
    due_ = now();
    moveOn();
}

void FrameMeasurement::moveOn() {
    if (ended_) {
        return;
    }
    patience_.start();
    moved_ = true;
    paints_ = window_.canvas()->paints();
    step();
    window_.canvas()->wantFrame(); // nothing may have changed
}

void FrameMeasurement::onSwap() {
    if (!moved_ || ended_ || window_.canvas()->paints() == paints_) { // or the frame shows something else
        return;
    }
    moved_ = false;
    takeFrame();
    if (++taken_ == wanted_) {
        finish({});
    } else {
        waitForNext();
    }
}

void FrameMeasurement::waitForNext() {
    const double passed = now();
    due_ = std::max(due_ + period_, passed - period_);
    if (due_ > passed) {
        QTimer::singleShot(static_cast<int>(due_ - passed), Qt::PreciseTimer, this, &FrameMeasurement::moveOn);
    } else {
        QMetaObject::invokeMethod(this, &FrameMeasurement::moveOn, Qt::QueuedConnection);
    }
}

void FrameMeasurement::finish(const QString& error) {
    if (ended_) {
        return;
    }
    ended_ = true;
    patience_.stop();
    emit finished(error.isEmpty() ? report() : QString(), error);
}

} // namespace pollard::app
