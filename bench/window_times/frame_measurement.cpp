#include "window_times/frame_measurement.hpp"

#include "canvas/canvas.hpp"
#include "window/main_window.hpp"

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000; ///< ms for one frame

} // namespace

FrameMeasurement::FrameMeasurement(Models& models, MainWindow& window, int frames, const QString& what, QObject* parent)
    : Measurement(models, window, what, QStringLiteral("no frame"), kPatience, parent), wanted_(frames) {
    if (window.canvas() != nullptr) {
        connect(window.canvas(), &GlSurface::frameSwapped, this, &FrameMeasurement::onSwap);
    }
}

void FrameMeasurement::begin() {
    prepare();
    due_ = now();
    moveOn();
}

void FrameMeasurement::moveOn() {
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
    if (!moved_ || hasEnded() || window().canvas()->paints() == paints_) { // ignores frames drawn before the step
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

} // namespace pollard::app
