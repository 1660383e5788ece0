#include "shell/hover_measurement.hpp"

#include "canvas/canvas.hpp"
#include "shell/screenshot.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QMouseEvent>

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000; ///< ms for one frame

} // namespace

HoverMeasurement::HoverMeasurement(Models& models, MainWindow& window, int frames, QObject* parent)
    : QObject(parent), models_(models), window_(window), frames_(frames) {
    if (window_.canvas() == nullptr) {
        QMetaObject::invokeMethod(
            this, [this] { finish(window_.canvasProblem()); }, Qt::QueuedConnection);
        return;
    }
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this,
            [this] { finish(QStringLiteral("measure hovering: no frame within %1 s").arg(kPatience / 1000)); });
    using Document = vm::DocumentViewModel;
    for (const auto signal : {&Document::stateChanged, &Document::busyChanged, &Document::filteringChanged}) {
        connect(&models_.document, signal, this, &HoverMeasurement::startWhenReady);
    }
    connect(&models_.filter, &vm::FilterViewModel::domainChanged, this, &HoverMeasurement::startWhenReady);
    connect(window_.canvas(), &QOpenGLWidget::frameSwapped, this, [this] {
        startWhenReady();
        takeFrame();
    });
    connect(&window_, &MainWindow::canvasFailed, this, &HoverMeasurement::finish);
}

void HoverMeasurement::startWhenReady() {
    if (running_ || ended_ || !isSettled(models_, window_)) {
        return;
    }
    running_ = true;
    if (!models_.chain.isActive()) {
        showPanel(window_, QStringLiteral("chain"));
    }
    // Not from within a signal that others have yet to hear.
    QMetaObject::invokeMethod(this, &HoverMeasurement::moveOn, Qt::QueuedConnection);
}

QPointF HoverMeasurement::nextPlace() {
    const vm::ViewTransform& view = models_.display.view();
    const double ratio = window_.canvas()->devicePixelRatioF();
    const QRectF seen = QRectF(view.toView({0, 0}) / ratio,
                               view.toView(QPointF(view.imageSize.width(), view.imageSize.height())) / ratio)
                            .intersected(QRectF(window_.canvas()->rect()));
    std::uniform_real_distribution<double> share(0, 1);
    const double across = share(random_);
    return {seen.left() + across * seen.width(), seen.top() + share(random_) * seen.height()};
}

void HoverMeasurement::moveOn() {
    if (ended_) {
        return;
    }
    patience_.start();
    Canvas& canvas = *window_.canvas();
    const QPointF place = nextPlace();
    QMouseEvent event(QEvent::MouseMove, place, canvas.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    moved_ = true;
    clock_.start();
    QCoreApplication::sendEvent(&canvas, &event);
    eventTimes_.push_back(static_cast<double>(clock_.nsecsElapsed()) * 1e-6);
    canvas.update(); // the pointer may have stayed in its component
}

void HoverMeasurement::takeFrame() {
    if (!moved_ || ended_) {
        return;
    }
    moved_ = false;
    latencies_.push_back(static_cast<double>(clock_.nsecsElapsed()) * 1e-6);
    chains_.push_back(models_.chain.rowCount());
    if (static_cast<int>(latencies_.size()) == frames_) {
        finish({});
    } else {
        QMetaObject::invokeMethod(this, &HoverMeasurement::moveOn, Qt::QueuedConnection);
    }
}

void HoverMeasurement::finish(const QString& error) {
    if (ended_) {
        return;
    }
    ended_ = true;
    patience_.stop();
    emit finished(error.isEmpty() ? report() : QString(), error);
}

QString HoverMeasurement::report() const {
    const vm::LatencySummary event = vm::summarize(eventTimes_);
    const vm::LatencySummary screen = vm::summarize(latencies_);
    const vm::LatencySummary chain = vm::summarize(chains_);
    const auto image = models_.document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral("hover: %1 places, pointer to screen median %2 ms, p95 %3 ms; of it the event median %4 ms, "
                          "p95 %5 ms; chains of %6 components (p95 %7); %8; %9 x %10, %11 bit, %12 nodes")
        .arg(screen.frames)
        .arg(number(screen.median), number(screen.p95), number(event.median), number(event.p95),
             QString::number(chain.median), QString::number(chain.p95), models_.document.engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()))
        .arg(models_.document.treeReport().nodes);
}

} // namespace pollard::app
