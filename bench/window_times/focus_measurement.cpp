#include "window_times/focus_measurement.hpp"

#include "canvas/canvas.hpp"
#include "docks/tree/icicle_view.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace pollard::app {
namespace {

constexpr int kPatience = 60000;    ///< ms for one step
constexpr int kTrials = 10000;      ///< to find a component
constexpr int kMostFruitless = 100; ///< successive steps without a change of the part shown

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

FocusMeasurement::FocusMeasurement(Models& models, MainWindow& window, int steps, QObject* parent)
    : Measurement(models, window, QStringLiteral("the focus"), QStringLiteral("no end"), kPatience, parent),
      wanted_(steps) {
    if (window.canvas() != nullptr) {
        icicle_ = window.findChild<vm::IcicleViewModel*>();
        view_ = window.findChild<IcicleView*>();
        showPanel(window, QStringLiteral("icicle"));
        view_->installEventFilter(this);
    }
}

bool FocusMeasurement::isReady() const { return icicle_->frame() != nullptr; }

std::optional<QPointF> FocusMeasurement::nextPlace() {
    std::uniform_real_distribution<double> share(0, 1);
    for (int i = 0; i < kTrials; ++i) {
        const double across = share(random_);
        const QPointF place(across, share(random_));
        if (icicle_->nodeAt(place).value_or(0) != 0) { // the root is already shown
            return place;
        }
    }
    return std::nullopt;
}

void FocusMeasurement::nextStep() {
    if (hasEnded()) {
        return;
    }
    const bool isBack = icicle_->focusNode() != 0;
    const auto place = isBack ? std::nullopt : nextPlace();
    if (!isBack && !place) {
        finish(QStringLiteral("measure the focus: this image has no component to go into"));
        return;
    }
    await();
    before_ = icicle_->view();
    moving_ = true;
    start_ = last_ = now();
    if (isBack) {
        QKeyEvent event(QEvent::KeyPress, Qt::Key_Backspace, Qt::NoModifier);
        QCoreApplication::sendEvent(view_, &event);
    } else {
        const QPointF pixel = view_->pixelOf(*place);
        QMouseEvent event(QEvent::MouseButtonDblClick, pixel, view_->mapToGlobal(pixel), Qt::LeftButton, Qt::LeftButton,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(view_, &event);
    }
    const double passed = now() - start_;
    if (icicle_->view() != *before_) {
        fruitless_ = 0;
        eventTimes_.push_back(passed);
    } else if (++fruitless_ > kMostFruitless) {
        finish(QStringLiteral("measure the focus: no component of this image is seen larger when one goes into it"));
    } else {
        QMetaObject::invokeMethod(this, &FocusMeasurement::nextStep, Qt::QueuedConnection);
    }
}

bool FocusMeasurement::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::Paint && moving_) {
        const bool isFinal = !view_->glide().isUnderWay() && icicle_->isIdle();
        QMetaObject::invokeMethod( // after the frame is on the screen
            this, [this, painted = Painted{view_->shownPart(), isFinal}] { takePaint(painted); }, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

void FocusMeasurement::takePaint(const Painted& painted) {
    if (!moving_ || hasEnded()) {
        return;
    }
    const double time = now();
    if (before_) {
        if (painted.part == *before_) {
            return;
        }
        before_.reset();
        firsts_.push_back(time - start_);
    } else {
        pauses_.push_back(time - last_);
    }
    last_ = time;
    if (!painted.isFinal) {
        return;
    }
    moving_ = false;
    images_.push_back(time - start_);
    if (++taken_ == wanted_) {
        finish({});
    } else {
        nextStep();
    }
}

QString FocusMeasurement::report() const {
    const auto times = [](const std::vector<double>& all) {
        const vm::LatencySummary of = vm::summarize(all);
        return QStringLiteral("median %1 ms, p95 %2 ms").arg(of.median, 0, 'f', 2).arg(of.p95, 0, 'f', 2);
    };
    const auto image = models().document.image();
    return QStringLiteral("focus: %1 steps, event to screen %2; of it the event %3; to the next frame %4; image at "
                          "the end %5; %6; %7 x %8, %9 bit, %10 nodes")
        .arg(taken_)
        .arg(times(firsts_), times(eventTimes_), times(pauses_), times(images_),
             models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()))
        .arg(models().document.shown().treeReport.nodes);
}

} // namespace pollard::app
