#include "window_times/contour_measurement.hpp"

#include "canvas/canvas.hpp"
#include "overlays/overlay_layer.hpp"
#include "vm/display/presentation_view_model.hpp"
#include "window/main_window.hpp"
#include "window_times/timed_engine.hpp"

#include <algorithm>

namespace pollard::app {
namespace {

constexpr int kPatience = 120000; ///< ms for one run
constexpr int kLookEvery = 5;     ///< ms
constexpr int kFramesBefore = 5;  ///< drawn before a run starts
constexpr int kFrameEvery = 16;   ///< ms; about 60 frames per second
constexpr double kSpeed = 60;     ///< states shown per second

} // namespace

void ContourMeasurement::step() {
    vm::ContourViewModel& contours = models().contours;
    const int before = contours.runs().shown() > 0 ? contours.runs().shown() - 1 : contours.runs().stateCount() - 1;
    startClock();
    contours.playback().scrub(before);
    eventTimes_.push_back(milliseconds());
}

void ContourMeasurement::takeFrame() {
    latencies_.push_back(milliseconds());
    std::size_t nodes = 0;
    for (const Contour& contour : models().contours.runs().allNodes()) {
        nodes += contour.size();
    }
    nodes_.push_back(static_cast<double>(nodes));
}

QString ContourMeasurement::report() const {
    const vm::LatencySummary event = vm::summarize(eventTimes_);
    const vm::LatencySummary screen = vm::summarize(latencies_);
    const auto image = models().document.image();
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    return QStringLiteral("contour: %1 frames of %2 states, state to screen median %3 ms, p95 %4 ms; of it the event "
                          "median %5 ms, p95 %6 ms; %7 nodes at most; %8; %9 x %10, %11 bit")
        .arg(screen.frames)
        .arg(models().contours.runs().stateCount())
        .arg(number(screen.median), number(screen.p95), number(event.median), number(event.p95))
        .arg(nodes_.empty() ? 0 : *std::ranges::max_element(nodes_))
        .arg(models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()));
}

LiveContourMeasurement::LiveContourMeasurement(Models& models, MainWindow& window, int runs, TimedEngine& engine,
                                               QObject* parent)
    : Measurement(models, window, QStringLiteral("a live contour"), QStringLiteral("no end"), kPatience, parent),
      engine_(engine), wanted_(2 * runs) {
    if (window.canvas() == nullptr) {
        return;
    }
    connect(window.canvas(), &Canvas::frameSwapped, this, &LiveContourMeasurement::onSwap);
    connect(&poll_, &QTimer::timeout, this, &LiveContourMeasurement::lookAgain);
    frame_.setTimerType(Qt::PreciseTimer);
    frame_.setInterval(kFrameEvery);
    // Repaints only the overlays, as a new state does.
    connect(&frame_, &QTimer::timeout, window.findChild<OverlayLayer*>(), qOverload<>(&QWidget::update));
    poll_.start(kLookEvery);
    await();
}

bool LiveContourMeasurement::isReady() const { return models().contours.runs().isFinished(); }

void LiveContourMeasurement::begin() {
    start_ = models().contours.runs().currentRun()->record.allNodes(0);
    static_cast<void>(engine_.takeEvolutions());
    startRun();
}

void LiveContourMeasurement::end() {
    poll_.stop();
    frame_.stop();
}

void LiveContourMeasurement::lookAgain() {
    const vm::ContourViewModel& contours = models().contours;
    const bool rests = !contours.isComputing() && !contours.playback().isPlaying();
    if (!contours.runs().problem().isEmpty()) {
        finish(contours.runs().problem());
    } else if (stage_ == Stage::starting && contours.runs().stateCount() == 1 && rests &&
               (!isDrawn() || frames_ >= kFramesBefore)) {
        run();
    } else if (stage_ == Stage::running && rests &&
               (contours.runs().isFinished() || contours.runs().stateCount() > 1)) {
        takeRun();
    }
}

/// Replaces all runs by a new one from the start.
void LiveContourMeasurement::startRun() {
    vm::ContourViewModel& contours = models().contours;
    stage_ = Stage::starting;
    frames_ = 0;
    await();
    while (!contours.runs().all().empty()) {
        contours.deleteRun(0);
    }
    contours.startFrom(start_, {});
    if (isDrawn()) {
        frame_.start();
    } else {
        frame_.stop();
    }
}

void LiveContourMeasurement::run() {
    vm::ContourViewModel& contours = models().contours;
    stage_ = Stage::running;
    frames_ = 0;
    begun_ = now();
    seen_.clear();
    if (isDrawn()) {
        contours.playback().setSpeed(kSpeed);
        contours.playback().play();
    } else {
        contours.playback().stepForward(); // evolves to the end and shows one state
    }
}

void LiveContourMeasurement::onSwap() {
    if (stage_ == Stage::waiting || hasEnded() || !isDrawn()) {
        return;
    }
    ++frames_;
    if (stage_ == Stage::running) {
        const auto shown = static_cast<std::size_t>(models().contours.runs().shown());
        seen_.resize(std::max(seen_.size(), shown + 1));
        seen_[shown] = true;
    }
}

void LiveContourMeasurement::takeRun() {
    const auto states = static_cast<std::size_t>(models().contours.runs().stateCount());
    if (isDrawn() && (seen_.size() < states || !seen_.back())) {
        return; // the last state is not yet on the screen
    }
    const std::vector<double> times = engine_.takeEvolutions();
    if (times.size() != 1) {
        finish(QStringLiteral("measure a live contour: the engine has not moved it"));
        return;
    }
    if (isDrawn()) {
        whileDrawn_.push_back(times.front());
        rates_.push_back(frames_ / (now() - begun_) * 1e3);
        missed_ += static_cast<int>(std::ranges::count(seen_, false));
        states_ += static_cast<int>(states);
    } else if (isWarm_) {
        whileQuiet_.push_back(times.front());
    }
    done_ += isWarm_ ? 1 : 0;
    isWarm_ = true;
    done_ == wanted_ ? finish({}) : startRun();
}

QString LiveContourMeasurement::report() const {
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    const auto times = [&](std::vector<double> all) {
        const vm::LatencySummary of = vm::summarize(all);
        return QStringLiteral("median %1 ms, p95 %2 ms, most %3 ms")
            .arg(number(of.median), number(of.p95), number(*std::ranges::max_element(all)));
    };
    const auto image = models().document.image();
    const vm::ContourViewModel& contours = models().contours;
    std::size_t nodes = 0;
    for (const Contour& contour : contours.runs().currentRun()->record.allNodes(contours.runs().stateCount() - 1)) {
        nodes += contour.size();
    }
    return QStringLiteral("live contour: %1 runs of %2 states, %3 nodes at the end; evolution while drawn %4; while "
                          "not drawn %5; %6 frames a second (median of the runs; least %7); %8 of %9 states on the "
                          "screen; %10; %11 x %12, %13 bit")
        .arg(whileDrawn_.size())
        .arg(contours.runs().stateCount())
        .arg(nodes)
        .arg(times(whileDrawn_), times(whileQuiet_), number(vm::summarize(rates_).median),
             number(*std::ranges::min_element(rates_)))
        .arg(states_ - missed_)
        .arg(states_)
        .arg(models().document.choices().engineDevice())
        .arg(image->width())
        .arg(image->height())
        .arg(bitsOf(image->type()));
}

} // namespace pollard::app
