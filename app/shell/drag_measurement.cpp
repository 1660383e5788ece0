#include "shell/drag_measurement.hpp"

#include "canvas/canvas.hpp"
#include "shell/screenshot.hpp"
#include "widgets/range_slider.hpp"
#include "window/main_window.hpp"

#include <QCoreApplication>
#include <QMouseEvent>

#include <cmath>

namespace pollard::app {
namespace {

/// The handle goes from kStart to kEnd of the slider and back in so many steps.
constexpr int kStepsOneWay = 64;
constexpr double kStart = 0.08;
constexpr double kEnd = 0.8;
/// So many steps that leave a whole-numbered threshold where it was mean that it cannot be moved.
constexpr int kMostFruitless = 2 * kStepsOneWay;
constexpr int kPatience = 60000; ///< ms for one picture

void sendMouse(QWidget& widget, QEvent::Type type, double x) {
    const QPointF place(x, widget.height() / 2.0);
    const bool move = type == QEvent::MouseMove;
    const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, place, widget.mapToGlobal(place), move ? Qt::NoButton : Qt::LeftButton, held,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

DragMeasurement::DragMeasurement(Models& models, MainWindow& window, int frames, QObject* parent)
    : QObject(parent), models_(models), window_(window), frames_(frames) {
    if (window_.canvas() == nullptr) {
        QMetaObject::invokeMethod(
            this, [this] { finish(window_.canvasProblem()); }, Qt::QueuedConnection);
        return;
    }
    slider_ = window_.findChild<RangeSlider*>(QStringLiteral("range"));
    models_.filter.setLive(true);
    models_.presentation.setExact(true);
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this,
            [this] { finish(QStringLiteral("measure the drag: no picture within %1 s").arg(kPatience / 1000)); });
    using Document = vm::DocumentViewModel;
    for (const auto signal :
         {&Document::stateChanged, &Document::busyChanged, &Document::filteringChanged, &Document::resultFetched}) {
        connect(&models_.document, signal, this, &DragMeasurement::startWhenReady);
    }
    connect(&models_.filter, &vm::FilterViewModel::domainChanged, this, &DragMeasurement::startWhenReady);
    connect(window_.canvas(), &QOpenGLWidget::frameSwapped, this, &DragMeasurement::startWhenReady);
    connect(&window_, &MainWindow::canvasFailed, this, &DragMeasurement::finish);
    connect(&models_.presentation, &vm::PresentationViewModel::latencyMeasured, this, &DragMeasurement::takeFrame);
}

void DragMeasurement::startWhenReady() {
    if (running_ || ended_ || !isSettled(models_, window_)) {
        return;
    }
    running_ = true;
    // Not from within a signal that others have yet to hear.
    QMetaObject::invokeMethod(
        this,
        [this] {
            sendMouse(*slider_, QEvent::MouseButtonPress, slider_->pixelOf(slider_->lower()));
            moveOn();
        },
        Qt::QueuedConnection);
}

double DragMeasurement::nextPosition() {
    const int place = steps_++ % (2 * kStepsOneWay);
    const int way = place < kStepsOneWay ? place : 2 * kStepsOneWay - place;
    return kStart + (kEnd - kStart) * way / kStepsOneWay;
}

void DragMeasurement::moveOn() {
    if (ended_) {
        return;
    }
    const FilterSpec before = models_.filter.spec();
    sendMouse(*slider_, QEvent::MouseMove, slider_->pixelOf(nextPosition()));
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
        sendMouse(*slider_, QEvent::MouseButtonRelease, slider_->pixelOf(slider_->lower()));
    }
    models_.presentation.setExact(false);
    emit finished(error.isEmpty() ? report() : QString(), error);
}

QString DragMeasurement::report() const {
    const vm::LatencySummary drag = vm::summarize(latencies_);
    const vm::LatencySummary filter = vm::summarize(filterTimes_);
    const auto image = models_.document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral("drag: %1 frames, slider to screen median %2 ms, p95 %3 ms; filter median %4 ms; %5, %6; "
                          "%7 x %8, %9 bit, %10 nodes")
        .arg(drag.frames)
        .arg(number(drag.median), number(drag.p95), number(filter.median), models_.presentation.engineBadge(),
             models_.document.engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()))
        .arg(models_.document.treeReport().nodes);
}

} // namespace pollard::app
