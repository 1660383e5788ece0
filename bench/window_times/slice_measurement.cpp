#include "window_times/slice_measurement.hpp"

#include "canvas/canvas.hpp"
#include "window/main_window.hpp"

namespace pollard::app {
namespace {

constexpr int kPatience = 60000; ///< ms for one slice

} // namespace

SliceMeasurement::SliceMeasurement(Models& models, MainWindow& window, int steps, QObject* parent)
    : Measurement(models, window, QStringLiteral("the slices"), QStringLiteral("no slice"), kPatience, parent),
      wanted_(steps) {
    if (window.canvas() != nullptr) {
        models.presentation.setExact(true);
        connect(&models.document, &vm::DocumentViewModel::sliceChanged, this, &SliceMeasurement::onSlice);
        connect(window.canvas(), &GlSurface::frameSwapped, this, &SliceMeasurement::onSwap);
    }
}

void SliceMeasurement::moveOn() {
    if (hasEnded()) {
        return;
    }
    vm::DocumentViewModel& document = models().document;
    if (!document.isVolume()) {
        finish(QStringLiteral("measure the slices: the picture is no volume"));
        return;
    }
    if (document.slice() + direction_ < 0 || document.slice() + direction_ >= document.sliceCount()) {
        direction_ = -direction_;
    }
    await();
    paints_.reset();
    start_ = now();
    document.setSlice(document.slice() + direction_);
}

void SliceMeasurement::onSlice() {
    if (hasBegun()) {
        paints_ = window().canvas()->paints();
    }
}

void SliceMeasurement::onSwap() {
    const Canvas& canvas = *window().canvas();
    if (hasEnded() || !paints_ || canvas.paints() == *paints_ || !canvas.isComplete()) {
        return; // of the slice before, or with missing tiles
    }
    paints_.reset();
    awaitNothing();
    latencies_.push_back(now() - start_);
    if (static_cast<int>(latencies_.size()) == wanted_) {
        finish({});
    } else {
        QMetaObject::invokeMethod(this, &SliceMeasurement::moveOn, Qt::QueuedConnection);
    }
}

QString SliceMeasurement::report() const {
    const vm::LatencySummary screen = vm::summarize(latencies_);
    const auto image = models().document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral("slices: %1 steps, request to screen median %2 ms, p95 %3 ms; %4, %5; %6 x %7%8, %9 bit, %10 "
                          "nodes")
        .arg(screen.frames)
        .arg(number(screen.median), number(screen.p95), models().presentation.engineBadge(),
             models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(slicesText(models().document))
        .arg(bitsOf(image->type()))
        .arg(models().document.shown().treeReport.nodes);
}

} // namespace pollard::app
