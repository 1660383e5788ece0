#include "shell/drag_measurement.hpp"

#include "canvas/canvas.hpp"
#include "shell/settled.hpp"
#include "window/main_window.hpp"

#include <utility>

namespace pollard::app {
namespace {

/// The control goes to the end of its way, and back, in so many steps.
constexpr int kStepsOneWay = 64;
/// So many steps that leave a whole-numbered threshold where it was mean that it cannot be moved.
constexpr int kMostFruitless = 2 * kStepsOneWay;
constexpr int kPatience = 60000; ///< ms for one picture

} // namespace

DragMeasurement::DragMeasurement(Models& models, MainWindow& window, int frames,
                                 std::unique_ptr<DraggedControl> control, QObject* parent)
    : QObject(parent), models_(models), window_(window), control_(std::move(control)), frames_(frames) {
    if (window_.canvas() == nullptr) {
        QMetaObject::invokeMethod(
            this, [this] { finish(window_.canvasProblem()); }, Qt::QueuedConnection);
        return;
    }
    models_.filter.setLive(true);
    models_.presentation.setExact(true);
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this,
            [this] { finish(QStringLiteral("measure the drag: no picture within %1 s").arg(kPatience / 1000)); });
    whenSettling(models_, window_, this, [this] { startWhenReady(); });
    connect(&window_, &MainWindow::canvasFailed, this, &DragMeasurement::finish);
    connect(&models_.presentation, &vm::PresentationViewModel::latencyMeasured, this, &DragMeasurement::takeFrame);
}

void DragMeasurement::startWhenReady() {
    if (running_ || ended_ || !isSettled(models_, window_)) {
        return;
    }
    running_ = true;
    control_->press();
    moveOn();
}

double DragMeasurement::nextShare() {
    const int place = steps_++ % (2 * kStepsOneWay);
    const int way = place < kStepsOneWay ? place : 2 * kStepsOneWay - place;
    return static_cast<double>(way) / kStepsOneWay;
}

void DragMeasurement::moveOn() {
    if (ended_) {
        return;
    }
    const FilterSpec before = models_.filter.spec();
    control_->moveTo(nextShare());
    if (models_.filter.spec() != before) {
        fruitless_ = 0;
        patience_.start();
    } else if (++fruitless_ > kMostFruitless) {
        finish(QStringLiteral("measure the drag: the threshold of this picture cannot be moved"));
    } else {
        QMetaObject::invokeMethod(this, &DragMeasurement::moveOn, Qt::QueuedConnection);
    }
}

void DragMeasurement::takeFrame(double milliseconds) {
    if (!running_ || ended_) {
        return;
    }
    patience_.stop();
    latencies_.push_back(milliseconds);
    filterTimes_.push_back(models_.document.filterReport().milliseconds);
    if (static_cast<int>(latencies_.size()) == frames_) {
        finish({});
    } else {
        QMetaObject::invokeMethod(this, &DragMeasurement::moveOn, Qt::QueuedConnection);
    }
}

void DragMeasurement::finish(const QString& error) {
    if (ended_) {
        return;
    }
    ended_ = true;
    patience_.stop();
    if (running_) {
        control_->release();
    }
    models_.presentation.setExact(false);
    emit finished(error.isEmpty() ? report() : QString(), error);
}

QString DragMeasurement::report() const {
    const vm::LatencySummary drag = vm::summarize(latencies_);
    const vm::LatencySummary filter = vm::summarize(filterTimes_);
    const auto image = models_.document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral("drag: %1 frames, %11 to screen median %2 ms, p95 %3 ms; filter median %4 ms; %5, %6; "
                          "%7 x %8, %9 bit, %10 nodes")
        .arg(drag.frames)
        .arg(number(drag.median), number(drag.p95), number(filter.median), models_.presentation.engineBadge(),
             models_.document.engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()))
        .arg(models_.document.treeReport().nodes)
        .arg(control_->name());
}

} // namespace pollard::app
