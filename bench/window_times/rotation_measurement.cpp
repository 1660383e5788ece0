#include "window_times/rotation_measurement.hpp"

#include "canvas/rendering_view.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include <QDockWidget>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000;   ///< ms for one frame
constexpr QPointF kTurn(7, 3);     ///< px of a drag for each frame
constexpr QSize kSize(1624, 1088); ///< of the panel, logical px; its view has about 1600 x 1000

} // namespace

RotationMeasurement::RotationMeasurement(Models& models, MainWindow& window, int frames, QObject* parent)
    : Measurement(models, window, QStringLiteral("the rotation"), QStringLiteral("no frame"), kPatience, parent),
      wanted_(frames), view_(window.findChild<RenderingView*>()) {
    showPanel(window, QStringLiteral("rendering"));
    auto* dock = window.findChild<QDockWidget*>(QStringLiteral("renderingDock"));
    dock->setFloating(true);
    dock->resize(kSize);
    connect(view_, &GlSurface::frameSwapped, this, &RotationMeasurement::onSwap);
}

bool RotationMeasurement::isReady() const { return models().rendering.rests(); }

void RotationMeasurement::begin() {
    if (!models().rendering.isAvailable()) {
        finish(QStringLiteral("measure the rotation: the picture is no volume"));
        return;
    }
    models().rendering.setRendering(vm::Rendering::maximum);
    moveOn();
}

void RotationMeasurement::moveOn() {
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
    QMetaObject::invokeMethod(this, isLast ? &RotationMeasurement::changeRendering : &RotationMeasurement::moveOn,
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
    moveOn();
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

} // namespace pollard::app
