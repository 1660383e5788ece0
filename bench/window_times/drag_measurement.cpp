#include "window_times/drag_measurement.hpp"

#include "canvas/canvas.hpp"
#include "docks/orthogonal_panel.hpp"
#include "docks/tree/attribute_plane_view.hpp"
#include "overlays/overlay_layer.hpp"
#include "widgets/range_slider.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::app {
namespace {

/// Steps from one end of the control to the other.
constexpr int kStepsOneWay = 64;
/// Limit for successive steps that leave an integer threshold unchanged: then it cannot be moved.
constexpr int kMostFruitless = 2 * kStepsOneWay;
constexpr int kPatience = 60000; ///< ms for one image

void sendMouse(QWidget& widget, QEvent::Type type, QPointF place) {
    const bool move = type == QEvent::MouseMove;
    const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, place, widget.mapToGlobal(place), move ? Qt::NoButton : Qt::LeftButton, held,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

/// Place of a control that goes to and fro, from 0 to 1.
double shareOf(int step) {
    const int place = step % (2 * kStepsOneWay);
    const int way = place < kStepsOneWay ? place : 2 * kStepsOneWay - place;
    return static_cast<double>(way) / kStepsOneWay;
}

class Slider : public DraggedControl {
public:
    explicit Slider(RangeSlider& slider) : slider_(slider) {}

    [[nodiscard]] QString name() const override { return QStringLiteral("slider"); }
    void press() override { send(QEvent::MouseButtonPress, slider_.pixelOf(slider_.lower())); }
    void moveTo(double share) override { send(QEvent::MouseMove, slider_.pixelOf(kStart + (kEnd - kStart) * share)); }
    void release() override { send(QEvent::MouseButtonRelease, slider_.pixelOf(slider_.lower())); }

private:
    static constexpr double kStart = 0.08;
    static constexpr double kEnd = 0.8;

    void send(QEvent::Type type, double x) { sendMouse(slider_, type, {x, slider_.height() / 2.0}); }

    RangeSlider& slider_;
};

class Rectangle : public DraggedControl {
public:
    explicit Rectangle(AttributePlaneView& plane) : plane_(plane) {}

    [[nodiscard]] QString name() const override { return QStringLiteral("rectangle"); }
    void press() override { send(QEvent::MouseButtonPress, {kStart, kEnd}); }
    void moveTo(double share) override {
        const double way = kSmallest + (1 - kSmallest) * share;
        last_ = {kStart + (kEnd - kStart) * way, kEnd - (kEnd - kStart) * way};
        send(QEvent::MouseMove, last_);
    }
    void release() override { send(QEvent::MouseButtonRelease, last_); }

private:
    static constexpr double kStart = 0.05; ///< fraction of the plane, from the left and from below
    static constexpr double kEnd = 0.95;
    static constexpr double kSmallest = 0.1; ///< fraction of the range

    void send(QEvent::Type type, QPointF place) {
        // Graphics views get mouse events at their viewport.
        sendMouse(*plane_.viewport(), type, plane_.pixelOf(place));
    }

    AttributePlaneView& plane_;
    QPointF last_;
};

} // namespace

std::unique_ptr<DraggedControl> draggedSlider(MainWindow& window) {
    return std::make_unique<Slider>(*window.findChild<RangeSlider*>(QStringLiteral("range")));
}

std::unique_ptr<DraggedControl> draggedRectangle(MainWindow& window) {
    showPanel(window, QStringLiteral("plane"));
    return std::make_unique<Rectangle>(*window.findChild<AttributePlaneView*>());
}

DragMeasurement::DragMeasurement(Models& models, MainWindow& window, int frames,
                                 std::unique_ptr<DraggedControl> control, QObject* parent)
    : Measurement(models, window, QStringLiteral("the drag"), QStringLiteral("no image"), kPatience, parent),
      control_(std::move(control)), frames_(frames) {
    if (window.canvas() != nullptr) {
        models.filter.setLive(true);
        models.presentation.setExact(true);
        connect(&models.presentation, &vm::PresentationViewModel::latencyMeasured, this, &DragMeasurement::takeFrame);
    }
}

void DragMeasurement::begin() {
    for (auto* section : window().findChildren<SectionView*>()) {
        if (models().document.isVolume() && section->isVisible()) {
            sections_.insert(section);
            connect(section, &GlSurface::frameSwapped, this, [this, section] { takeSection(section); });
        }
    }
    control_->press();
    nextStep();
}

double DragMeasurement::nextShare() { return shareOf(steps_++); }

void DragMeasurement::nextStep() {
    if (hasEnded()) {
        return;
    }
    const FilterSpec before = models().filter.spec();
    isShown_ = false;
    waiting_ = sections_;
    start_ = now();
    control_->moveTo(nextShare());
    if (models().filter.spec() != before) {
        fruitless_ = 0;
        await();
    } else if (++fruitless_ > kMostFruitless) {
        finish(QStringLiteral("measure the drag: the threshold of this image cannot be moved"));
    } else {
        QMetaObject::invokeMethod(this, &DragMeasurement::nextStep, Qt::QueuedConnection);
    }
}

void DragMeasurement::takeFrame(double milliseconds) {
    if (!hasBegun() || hasEnded()) {
        return;
    }
    latencies_.push_back(milliseconds);
    filterTimes_.push_back(models().document.shown().frame.report.milliseconds);
    isShown_ = true;
    takeStep();
}

void DragMeasurement::takeSection(const SectionView* section) {
    if (models().orthogonal.isIdle() && section->shown().frame.spec == models().filter.spec() &&
        waiting_.erase(section) != 0) {
        takeStep();
    }
}

void DragMeasurement::takeStep() {
    if (hasEnded() || !isShown_ || !waiting_.empty() ||
        (!sections_.empty() && viewTimes_.size() == latencies_.size())) {
        return;
    }
    if (!sections_.empty()) {
        viewTimes_.push_back(now() - start_);
    }
    awaitNothing();
    if (static_cast<int>(latencies_.size()) == frames_) {
        finish({});
    } else {
        QMetaObject::invokeMethod(this, &DragMeasurement::nextStep, Qt::QueuedConnection);
    }
}

void DragMeasurement::end() {
    if (hasBegun()) {
        control_->release();
    }
    models().presentation.setExact(false);
}

QString DragMeasurement::report() const {
    const vm::LatencySummary drag = vm::summarize(latencies_);
    const vm::LatencySummary filter = vm::summarize(filterTimes_);
    const auto image = models().document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    const vm::LatencySummary views = vm::summarize(viewTimes_);
    const QString allViews =
        viewTimes_.empty()
            ? QString()
            : QStringLiteral("; all views median %1 ms, p95 %2 ms").arg(number(views.median), number(views.p95));
    return QStringLiteral("drag: %1 frames, %11 to screen median %2 ms, p95 %3 ms%12; filter median %4 ms; %5, %6; "
                          "%7 x %8%13, %9 bit, %10 nodes")
        .arg(drag.frames)
        .arg(number(drag.median), number(drag.p95), number(filter.median), models().presentation.engineBadge(),
             models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()))
        .arg(models().document.shown().treeReport.nodes)
        .arg(control_->name(), allViews, slicesText(models().document));
}

CutMeasurement::CutMeasurement(Models& models, MainWindow& window, int frames, QObject* parent)
    : FrameMeasurement(models, window, frames, QStringLiteral("the cut"), parent),
      cut_(window.findChild<QSlider*>(QStringLiteral("objectsCut"))) {
    showPanel(window, QStringLiteral("objects"));
    models.objects.regions().setWay(vm::FindBy::hierarchy);
}

bool CutMeasurement::isReady() const {
    return models().objects.state() != vm::ObjectsViewModel::State::computing && !models().objectTable.isListing();
}

void CutMeasurement::prepare() {
    if (!cut_->isEnabled()) {
        finish(QStringLiteral("measure the cut: the image has no hierarchy"));
        return;
    }
    for (OverlayPane* const overlays : window().findChildren<OverlayPane*>()) {
        overlays->installEventFilter(this);
        connect(overlays, &OverlayPane::caughtUp, this, &CutMeasurement::onSwap);
    }
}

bool CutMeasurement::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Paint) {
        return Measurement::eventFilter(watched, event);
    }
    const double before = now();
    const bool isTaken = watched->event(event);
    paintTimes_.push_back(now() - before);
    return isTaken;
}

bool CutMeasurement::isShown() const {
    return std::ranges::all_of(window().findChildren<OverlayPane*>(), [](const OverlayPane* overlays) {
        return !overlays->isVisible() || overlays->isUpToDate();
    });
}

void CutMeasurement::step() {
    startClock();
    const double before = now();
    cut_->setValue(cut_->minimum() +
                   static_cast<int>(std::lround(shareOf(++steps_) * (cut_->maximum() - cut_->minimum()))));
    eventTimes_.push_back(now() - before);
}

QString CutMeasurement::report() const {
    const vm::LatencySummary event = vm::summarize(eventTimes_);
    const vm::LatencySummary paint = vm::summarize(paintTimes_);
    const vm::LatencySummary screen = vm::summarize(latencies_);
    const auto image = models().document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral(
               "cut: %1 frames, slider to screen median %2 ms, p95 %3 ms; of it the event median %4 ms, p95 "
               "%5 ms; %12 paintings of overlays median %13 ms, p95 %14 ms; %6; %7 x %8%9, %10 bit, %11 basins")
        .arg(screen.frames)
        .arg(number(screen.median), number(screen.p95), number(event.median), number(event.p95),
             models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(slicesText(models().document))
        .arg(bitsOf(image->type()))
        .arg(models().objects.objects()->hierarchy->basinCount())
        .arg(paint.frames)
        .arg(number(paint.median), number(paint.p95));
}

} // namespace pollard::app
