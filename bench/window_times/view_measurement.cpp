#include "window_times/view_measurement.hpp"

#include "canvas/canvas.hpp"
#include "canvas/rendering_view.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"
#include "window/status_line.hpp"

#include <QDockWidget>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000;   ///< ms for one frame or slice
constexpr QPointF kTurn(7, 3);     ///< px of a drag for each frame
constexpr QSize kSize(1624, 1088); ///< of the panel, logical px; its view has about 1600 x 1000

constexpr int kFramesPerStage = 60; ///< one zoom in or out, and one circle of panning
constexpr double kDeepest = 2.0;    ///< screen px per px at the turning point of the script

struct Place {
    double zoom;
    QPointF centre; ///< px of the image
};

/// View at frame @p i: a spiral over the image while the zoom goes from fitting to kDeepest and back.
Place placeOf(int i, double fitting, QSize image) {
    const double stage = static_cast<double>(i % (2 * kFramesPerStage)) / kFramesPerStage;
    const double depth = stage <= 1.0 ? stage : 2.0 - stage;
    const double angle = 2 * std::numbers::pi * i / kFramesPerStage;
    const double reach = 0.35 * depth;
    return {fitting * std::pow(std::max(kDeepest / fitting, 1.0), depth),
            {image.width() * (0.5 + reach * std::cos(angle)), image.height() * (0.5 + reach * std::sin(angle))}};
}

} // namespace

void ViewMeasurement::step() {
    const TileTextures::Uploads& uploads = window().canvas()->tileStore().uploads();
    bytesBefore_ = static_cast<double>(uploads.bytes);
    uploadBefore_ = uploads.milliseconds;
    vm::DisplayViewModel& display = models().display;
    const Place place = placeOf(taken() + 1, display.view().fitZoom(), display.view().imageSize);
    startClock();
    display.setZoom(place.zoom);
    display.setCentre(place.centre);
}

void ViewMeasurement::takeFrame() {
    const Canvas& canvas = *window().canvas();
    const TileTextures::Uploads& uploads = canvas.tileStore().uploads();
    frames_.push_back({canvas.paintMilliseconds(), uploads.milliseconds - uploadBefore_,
                       static_cast<double>(uploads.bytes) - bytesBefore_, milliseconds()});
    late_ += canvas.isComplete() ? 0 : 1;
}

QJsonObject ViewMeasurement::summary(double Frame::*member) const {
    std::vector<double> values;
    values.reserve(frames_.size());
    for (const Frame& frame : frames_) {
        values.push_back(frame.*member);
    }
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
        const auto last = static_cast<double>(values.size() - 1);
        return std::round(values[static_cast<std::size_t>(std::lround(last * share))] * 100) / 100;
    };
    return {{QStringLiteral("median"), at(0.5)}, {QStringLiteral("p95"), at(0.95)}, {QStringLiteral("max"), at(1)}};
}

QString ViewMeasurement::report() const {
    const auto image = models().document.image();
    const TileTextures& store = window().canvas()->tileStore();
    constexpr double kMiB = 1 << 20;
    const QJsonObject object{
        {QStringLiteral("frames"), static_cast<int>(frames_.size())},
        {QStringLiteral("width"), static_cast<qint64>(image->width())},
        {QStringLiteral("height"), static_cast<qint64>(image->height())},
        {QStringLiteral("bits"), bitsOf(image->type())},
        {QStringLiteral("paint_ms"), summary(&Frame::paint)},
        {QStringLiteral("upload_ms"), summary(&Frame::upload)},
        {QStringLiteral("upload_bytes"), summary(&Frame::bytes)},
        {QStringLiteral("movement_to_swap_ms"), summary(&Frame::swap)},
        {QStringLiteral("frames_with_stand_ins"), late_},
        {QStringLiteral("texture_MiB"), std::round(static_cast<double>(store.bytes()) / kMiB)},
        {QStringLiteral("resident_MiB"), std::round(static_cast<double>(residentBytes()) / kMiB)},
        {QStringLiteral("peak_resident_MiB"), std::round(static_cast<double>(peakResidentBytes()) / kMiB)},
        {QStringLiteral("renderer"), window().canvas()->renderer()},
    };
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

RotationMeasurement::RotationMeasurement(Models& models, MainWindow& window, int frames, QObject* parent)
    : Measurement(models, window, QStringLiteral("the rotation"), QStringLiteral("no frame"), kPatience, parent),
      wanted_(frames), view_(window.findChild<RenderingView*>()) {
    showPanel(window, QStringLiteral("rendering"));
    auto* dock = window.findChild<QDockWidget*>(QStringLiteral("renderingDock"));
    dock->setFloating(true);
    dock->resize(kSize);
    connect(view_, &GlSurface::frameSwapped, this, &RotationMeasurement::onSwap);
}

bool RotationMeasurement::isReady() const { return models().rendering.isIdle(); }

void RotationMeasurement::begin() {
    if (!models().rendering.isAvailable()) {
        finish(QStringLiteral("measure the rotation: the image is no volume"));
        return;
    }
    models().rendering.setRendering(vm::Rendering::maximum);
    nextStep();
}

void RotationMeasurement::nextStep() {
    if (hasEnded()) {
        return;
    }
    await();
    moved_ = true;
    start_ = now();
    models().rendering.setCamera(models().rendering.camera().turned(kTurn, view_->size()));
}

void RotationMeasurement::onSwap() {
    if (!moved_ || hasEnded()) {
        return;
    }
    moved_ = false;
    awaitNothing();
    times_[rendering_].drawing.push_back(view_->drawMilliseconds());
    times_[rendering_].swap.push_back(now() - start_);
    const bool isLast = static_cast<int>(times_[rendering_].swap.size()) == wanted_;
    QMetaObject::invokeMethod(this, isLast ? &RotationMeasurement::changeRendering : &RotationMeasurement::nextStep,
                              Qt::QueuedConnection);
}

void RotationMeasurement::changeRendering() {
    (void)view_->grabFramebuffer();
    times_[rendering_].full = view_->drawMilliseconds();
    if (++rendering_ == times_.size()) {
        finish({});
        return;
    }
    models().rendering.setRendering(static_cast<vm::Rendering>(rendering_));
    nextStep();
}

QString RotationMeasurement::report() const {
    QString text = QStringLiteral("rotation: %1 frames each, turn to screen").arg(wanted_);
    const std::array names{"maximum", "minimum", "volume rendering"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const vm::LatencySummary drawing = vm::summarize(times_[i].drawing);
        const vm::LatencySummary swap = vm::summarize(times_[i].swap);
        text += QStringLiteral("%1 %2 median %3 ms, p95 %4 ms, of it drawing %5 and %6 ms, in full quality %7 ms")
                    .arg(i == 0 ? QString() : QStringLiteral(";"), QLatin1String(names[i]))
                    .arg(swap.median, 0, 'f', 2)
                    .arg(swap.p95, 0, 'f', 2)
                    .arg(drawing.median, 0, 'f', 2)
                    .arg(drawing.p95, 0, 'f', 2)
                    .arg(times_[i].full, 0, 'f', 2);
    }
    const Extent& blocks = models().rendering.volume().before->extent();
    const QSize size = view_->size() * view_->devicePixelRatioF();
    return text + QStringLiteral("; %1 x %2 px; %3 x %4 x %5 voxels drawn")
                      .arg(size.width())
                      .arg(size.height())
                      .arg(blocks.width)
                      .arg(blocks.height)
                      .arg(blocks.slices);
}

SliceMeasurement::SliceMeasurement(Models& models, MainWindow& window, int steps, QObject* parent)
    : Measurement(models, window, QStringLiteral("the slices"), QStringLiteral("no slice"), kPatience, parent),
      wanted_(steps) {
    if (window.canvas() != nullptr) {
        models.presentation.setExact(true);
        connect(&models.document, &vm::DocumentViewModel::sliceChanged, this, &SliceMeasurement::onSlice);
        connect(window.canvas(), &GlSurface::frameSwapped, this, &SliceMeasurement::onSwap);
    }
}

void SliceMeasurement::nextStep() {
    if (hasEnded()) {
        return;
    }
    vm::DocumentViewModel& document = models().document;
    if (!document.isVolume()) {
        finish(QStringLiteral("measure the slices: the image is no volume"));
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
        QMetaObject::invokeMethod(this, &SliceMeasurement::nextStep, Qt::QueuedConnection);
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
