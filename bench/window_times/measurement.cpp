#include "window_times/measurement.hpp"

#include "canvas/canvas.hpp"
#include "headless/screenshot.hpp"
#include "window/main_window.hpp"

#include <algorithm>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000; ///< ms for one frame

} // namespace

QString slicesText(const vm::DocumentViewModel& document) {
    return document.isVolume() ? QStringLiteral(" x %1").arg(document.sliceCount()) : QString();
}

Measurement::Measurement(Models& models, MainWindow& window, const QString& what, const QString& missing, int patience,
                         QObject* parent)
    : QObject(parent), models_(models), window_(window) {
    clock_.start();
    if (window_.canvas() == nullptr) {
        QMetaObject::invokeMethod(
            this, [this] { finish(window_.canvasProblem()); }, Qt::QueuedConnection);
        return;
    }
    patience_.setSingleShot(true);
    patience_.setInterval(patience);
    connect(&patience_, &QTimer::timeout, this, [this, what, missing, patience] {
        finish(QStringLiteral("measure %1: %2 within %3 s").arg(what, missing).arg(patience / 1000));
    });
    watchSettling(models_, window_, this, [this] { beginWhenReady(); });
    connect(&window_, &MainWindow::canvasFailed, this, &Measurement::finish);
}

void Measurement::beginWhenReady() {
    if (!begun_ && !ended_ && isSettled(models_, window_) && isReady()) {
        begun_ = true;
        begin();
    }
}

void Measurement::finish(const QString& error) {
    if (std::exchange(ended_, true)) {
        return;
    }
    patience_.stop();
    end();
    emit finished(error.isEmpty() ? report() : QString(), error);
}

FrameMeasurement::FrameMeasurement(Models& models, MainWindow& window, int frames, const QString& what, QObject* parent)
    : Measurement(models, window, what, QStringLiteral("no frame"), kPatience, parent), wanted_(frames) {
    if (window.canvas() != nullptr) {
        connect(window.canvas(), &GlSurface::frameSwapped, this, &FrameMeasurement::onSwap);
    }
}

void FrameMeasurement::begin() {
    prepare();
    due_ = now();
    nextStep();
}

void FrameMeasurement::nextStep() {
    if (hasEnded()) {
        return;
    }
    await();
    moved_ = true;
    paints_ = window().canvas()->paints();
    step();
    window().canvas()->wantFrame(); // even without a change
}

void FrameMeasurement::onSwap() {
    const bool isEarlier = window().canvas()->paints() == paints_; // the frame was drawn before the step
    if (!moved_ || hasEnded() || isEarlier || !isShown()) {
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
        QTimer::singleShot(static_cast<int>(due_ - passed), Qt::PreciseTimer, this, &FrameMeasurement::nextStep);
    } else {
        QMetaObject::invokeMethod(this, &FrameMeasurement::nextStep, Qt::QueuedConnection);
    }
}

} // namespace pollard::app
