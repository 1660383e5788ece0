#include "window_times/hover_measurement.hpp"

#include "canvas/canvas.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QMouseEvent>

namespace pollard::app {
namespace {

QString wayOf(vm::DisplayPath path) {
    switch (path) {
    case vm::DisplayPath::interop:
        return QStringLiteral("by interop");
    case vm::DisplayPath::upload:
        return QStringLiteral("uploaded");
    case vm::DisplayPath::copy:
    case vm::DisplayPath::none:
        break;
    }
    return QStringLiteral("missing");
}

} // namespace

void HoverMeasurement::prepare() {
    if (!models().chain.isActive()) {
        showPanel(window(), QStringLiteral("chain"));
    }
}

QPointF HoverMeasurement::nextPlace() {
    const vm::ViewTransform& view = models().display.view();
    const double ratio = window().canvas()->devicePixelRatioF();
    const QRectF seen = QRectF(view.toView({0, 0}) / ratio,
                               view.toView(QPointF(view.imageSize.width(), view.imageSize.height())) / ratio)
                            .intersected(QRectF(window().canvas()->rect()));
    std::uniform_real_distribution<double> share(0, 1);
    const double across = share(random_);
    return {seen.left() + across * seen.width(), seen.top() + share(random_) * seen.height()};
}

void HoverMeasurement::step() {
    Canvas& canvas = *window().canvas();
    const QPointF place = nextPlace();
    QMouseEvent event(QEvent::MouseMove, place, canvas.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    startClock();
    const double before = now();
    QCoreApplication::sendEvent(&canvas, &event);
    eventTimes_.push_back(now() - before);
}

void HoverMeasurement::takeFrame() {
    latencies_.push_back(milliseconds());
    chains_.push_back(models().chain.rowCount());
}

QString HoverMeasurement::report() const {
    const vm::LatencySummary event = vm::summarize(eventTimes_);
    const vm::LatencySummary screen = vm::summarize(latencies_);
    const vm::LatencySummary chain = vm::summarize(chains_);
    const vm::NumbersTransfer& numbers = models().presentation.numbers();
    const auto image = models().document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral(
               "hover: %1 places, pointer to screen median %2 ms, p95 %3 ms; of it the event median %4 ms, "
               "p95 %5 ms; chains of %6 components (p95 %7); numbers %13 in %14 ms; %8; %9 x %10%15, %11 bit, "
               "%12 nodes")
        .arg(screen.frames)
        .arg(number(screen.median), number(screen.p95), number(event.median), number(event.p95),
             QString::number(chain.median), QString::number(chain.p95), models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()))
        .arg(models().document.shown().treeReport.nodes)
        .arg(wayOf(numbers.path), number(numbers.milliseconds), slicesText(models().document));
}

} // namespace pollard::app
