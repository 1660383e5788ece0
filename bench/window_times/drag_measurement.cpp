#include "window_times/drag_measurement.hpp"

#include "canvas/canvas.hpp"
#include "docks/section_view.hpp"
#include "window/main_window.hpp"

#include <utility>

namespace pollard::app {
namespace {

/// Steps from one end of the control to the other.
constexpr int kStepsOneWay = 64;
/// Limit for successive steps that leave an integer threshold unchanged: then it cannot be moved.
constexpr int kMostFruitless = 2 * kStepsOneWay;
constexpr int kPatience = 60000; ///< ms for one image

} // namespace

DragMeasurement::DragMeasurement(Models& models, MainWindow& window, int frames,
                                 std::unique_ptr<DraggedControl> control, QObject* parent)
    : Measurement(models, window, QStringLiteral("the drag"), QStringLiteral("no picture"), kPatience, parent),
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
    moveOn();
}

double DragMeasurement::nextShare() {
    const int place = steps_++ % (2 * kStepsOneWay);
    const int way = place < kStepsOneWay ? place : 2 * kStepsOneWay - place;
    return static_cast<double>(way) / kStepsOneWay;
}

void DragMeasurement::moveOn() {
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
        finish(QStringLiteral("measure the drag: the threshold of this picture cannot be moved"));
    } else {
        QMetaObject::invokeMethod(this, &DragMeasurement::moveOn, Qt::QueuedConnection);
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
    if (models().orthogonal.rests() && section->shown().frame.spec == models().filter.spec() &&
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
        QMetaObject::invokeMethod(this, &DragMeasurement::moveOn, Qt::QueuedConnection);
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

} // namespace pollard::app
