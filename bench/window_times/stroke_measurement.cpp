#include "window_times/stroke_measurement.hpp"

#include "canvas/canvas.hpp"
#include "overlays/overlay_layer.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include "image/image.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include <QCoreApplication>
#include <QMouseEvent>

#include <cmath>

namespace pollard::app {
namespace {

constexpr int kStrokeEvents = 12; ///< of the mouse: a press, movements, the release
constexpr double kStrokeStep = 6; ///< logical px between two events
constexpr double kStrokeBorder = 0.1;

void sendStroke(QWidget& canvas, int event, const QPointF& place) {
    const bool isPress = event == 0;
    const bool isRelease = event == kStrokeEvents - 1;
    QMouseEvent sent(isPress     ? QEvent::MouseButtonPress
                     : isRelease ? QEvent::MouseButtonRelease
                                 : QEvent::MouseMove,
                     place, canvas.mapToGlobal(place), isPress || isRelease ? Qt::LeftButton : Qt::NoButton,
                     isRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&canvas, &sent);
}

} // namespace

StrokeMeasurement::StrokeMeasurement(Models& models, MainWindow& window, int strokes, QObject* parent)
    : FrameMeasurement(models, window, strokes * kStrokeEvents, QStringLiteral("strokes"), parent) {
    showPanel(window, QStringLiteral("objects"));
    connect(&models.objectTable, &vm::ObjectTableModel::listingChanged, this, [this] {
        if (hasBegun() && isLast()) {
            measured_.push_back(milliseconds());
        }
    });
}

bool StrokeMeasurement::isReady() const {
    return models().objects.state() == vm::ObjectsViewModel::State::ready && !models().objectTable.isListing();
}

void StrokeMeasurement::prepare() {
    models().labelEdits.setTool(vm::LabelTool::brush);
    if (models().labelEdits.tool() != vm::LabelTool::brush) {
        finish(QStringLiteral("measure strokes: the image has no objects to edit"));
    }
}

bool StrokeMeasurement::isLast() const { return steps_ % kStrokeEvents == 0; }

QPointF StrokeMeasurement::placeOf(int stroke, int event) const {
    constexpr double kAcross = 0.618033988749895;
    constexpr double kDown = 0.754877666246693;
    const auto share = [stroke](double step) {
        const double place = stroke * step;
        return kStrokeBorder + (1 - 2 * kStrokeBorder) * (place - std::floor(place));
    };
    const OverlayScene scene = window().findChild<OverlayLayer*>()->scene();
    const QRectF seen = scene.imageArea().intersected(QRectF(QPointF(0, 0), scene.size));
    const QPointF start(share(kAcross) * seen.width(), share(kDown) * seen.height());
    return seen.topLeft() + start + QPointF(std::cos(stroke), std::sin(stroke)) * kStrokeStep * event;
}

void StrokeMeasurement::step() {
    const int stroke = steps_ / kStrokeEvents;
    const int event = steps_ % kStrokeEvents;
    if (event == 0) { // a stroke that changes at least its first pixel
        const QPointF image = window().findChild<OverlayLayer*>()->scene().toImage(placeOf(stroke, 0));
        const bool isOnObject = models().objectTable.labelAt(image) != 0;
        models().labelEdits.setTool(isOnObject ? vm::LabelTool::eraser : vm::LabelTool::brush);
    }
    before_ = event == kStrokeEvents - 1 ? models().objectTable.listing() : nullptr;
    startClock();
    ++steps_;
    sendStroke(*window().canvas(), event, placeOf(stroke, event));
}

bool StrokeMeasurement::isShown() const {
    const bool isListed = before_ != models().objectTable.listing() && !models().labelEdits.isBusy();
    return !isLast() || (isListed && window().findChild<OverlayLayer*>()->isUpToDate());
}

void StrokeMeasurement::takeFrame() {
    (isLast() ? edited_ : drawn_).push_back(milliseconds());
    before_.reset(); // readers make the next edit copy
}

QString StrokeMeasurement::report() const {
    const auto image = models().document.image();
    const auto times = [](const std::vector<double>& all) {
        const vm::LatencySummary found = vm::summarize(all);
        return QStringLiteral("median %1 ms, p95 %2 ms").arg(found.median, 0, 'f', 2).arg(found.p95, 0, 'f', 2);
    };
    return QStringLiteral("strokes: %1, from the mouse to the screen %2; from the release to the measurements %3, to "
                          "the screen %4; %5 x %6%7, %8 bit, %9 objects")
        .arg(edited_.size())
        .arg(times(drawn_), times(measured_), times(edited_))
        .arg(image->width())
        .arg(image->height())
        .arg(slicesText(models().document))
        .arg(bitsOf(image->type()))
        .arg(models().objects.objects()->components.count);
}

} // namespace pollard::app
