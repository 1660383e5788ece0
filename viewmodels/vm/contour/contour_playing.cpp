#include "vm/contour/contour_view_model.hpp"

#include "vm/contour/contour_texts.hpp"
#include "vm/document/document_view_model.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

// ContourViewModel: playing, stepping, computing ahead.
namespace pollard::vm {

namespace {

constexpr int kStatesOfStretch = 256; ///< while playing
constexpr double kInOrder = 60;       ///< states per second up to which no state is skipped
constexpr double kMostDue = 2;        ///< states to catch up at most in that case
constexpr int kFramePatience = 50;    ///< ms after which the next state is shown without waiting for a frame

} // namespace

void ContourViewModel::play() {
    if (current_ < 0 || playing_) {
        return;
    }
    cancelDrag();
    setProblem({});
    if (isFinished() && shown_ + 1 == stateCount()) {
        show(0); // repeats the last state
    }
    setPlaying(true);
    computeNext();
}

/// A run of an engine continues: it cannot pause, and its states are recorded.
void ContourViewModel::pause() {
    target_ = shown_;
    setPlaying(false);
    if (!arriving_) {
        worker_.cancel(Lane::measure);
    }
    if (std::exchange(followed_, 0) != 0) {
        emit followChanged();
    }
}

void ContourViewModel::togglePlaying() { playing_ ? pause() : play(); }

void ContourViewModel::stepForward() {
    if (current_ < 0) {
        return;
    }
    cancelDrag();
    setProblem({});
    setPlaying(false);
    const int next = std::max(shown_, target_) + 1;
    if (next < stateCount()) {
        show(next);
    } else if (!isFinished()) {
        target_ = next;
        computeNext();
    }
}

void ContourViewModel::stepBack() {
    if (current_ >= 0) {
        pause();
        scrub(shown_ - 1);
    }
}

void ContourViewModel::toStart() {
    if (current_ >= 0) {
        pause();
        scrub(0);
    }
}

void ContourViewModel::toEnd() {
    if (current_ < 0) {
        return;
    }
    cancelDrag();
    setProblem({});
    show(stateCount() - 1);
    if (!isFinished()) {
        hurrying_ = true;
        setPlaying(true);
        computeNext();
    } else {
        pause();
    }
}

void ContourViewModel::scrub(int number) {
    if (current_ < 0) {
        return;
    }
    cancelDrag();
    show(std::clamp(number, 0, stateCount() - 1));
}

/// Makes it the shown state without a signal: for a run that has just become the current one.
void ContourViewModel::pointTo(int number) {
    ContourRun& run = *present();
    shown_ = number;
    target_ = number;
    due_ = 0;
    run.shown = number;
    contour_ = static_cast<int>(run.contour);
    nodes_ = run.record.allNodes(number);
}

void ContourViewModel::show(int number) {
    pointTo(number);
    if (drawn_) {
        drawn_ = false;
    }
    emit shownChanged();
}

void ContourViewModel::tellDrawn() { drawn_ = true; }

void ContourViewModel::setPlaying(bool playing) {
    hurrying_ = hurrying_ && playing;
    if (playing == playing_) {
        return;
    }
    playing_ = playing;
    due_ = 0;
    if (playing_) {
        sinceTick_.start();
        tick_.start();
    } else {
        tick_.stop();
    }
    emit transportChanged();
}

void ContourViewModel::showNext() {
    if (current_ < 0 || starting_ != 0) {
        sinceTick_.restart();
        return;
    }
    const bool fastest = hurrying_ || speed_ == kFastest;
    const bool inOrder = !fastest && speed_ <= kInOrder;
    if (inOrder && active_ && !isDrawn() && sinceTick_.elapsed() < kFramePatience) {
        return; // no frame has shown the state yet
    }
    const int last = stateCount() - 1;
    due_ += speed_ * static_cast<double>(sinceTick_.restart()) / 1000;
    due_ = inOrder ? std::min(due_, kMostDue) : due_;
    const double due = inOrder ? std::min(std::floor(due_), 1.0) : std::floor(due_);
    const int next = fastest ? last : static_cast<int>(std::min<double>(shown_ + due, last));
    if (next != shown_) {
        const double rest = due_ - due;
        show(next);
        due_ = rest;
    }
    if (shown_ == last && (isFinished() || !problem_.isEmpty())) {
        setPlaying(false);
    }
}

void ContourViewModel::computeNext() {
    ContourRun* run = present();
    if (run == nullptr || advancing_ || starting_ != 0 || run->finished) {
        return;
    }
    const int wanted = playing_ ? kStatesOfStretch : target_ - (run->record.count() - 1);
    if (wanted <= 0) {
        return;
    }
    if (recordedBytes() >= mostBytes_) {
        endAtBound();
        return;
    }
    Engine* const engine = wholeEngine(*run);
    if (engine != nullptr) {
        postWhole(*run, *engine);
    } else {
        postStretch(*run, wanted);
    }
    emit transportChanged();
}

void ContourViewModel::endAtBound() {
    target_ = shown_;
    setProblem(tr("The recorded states fill %1: delete a run to go on.")
                   .arg(QLocale().formattedDataSize(static_cast<qint64>(mostBytes_))));
}

Engine* ContourViewModel::wholeEngine(const ContourRun& run) const noexcept {
    const bool isForEngines = run.record.contours() == 1 || run.engine.apart;
    return run.engine.isWhole && isForEngines ? document_.resultEngine() : nullptr;
}

void ContourViewModel::postStretch(ContourRun& run, int wanted) {
    struct Work {
        ContourRun run; ///< the run to evolve again
        std::shared_ptr<MovingContours> snake;
        SnakeStretch stretch;
    };
    auto work = std::make_shared<Work>();
    work->snake = run.snake;
    if (!work->snake) {
        work->run = run;
    }
    advancing_ = true;
    worker_.post(
        Lane::measure,
        [ground = ground(), wanted, work](const std::stop_token& stop) {
            const JobControl control(stop);
            if (!work->snake) {
                work->snake = madeAgain(work->run, ground, control);
            }
            work->stretch = advanceSome(*work->snake, wanted, control);
        },
        [this, id = run.id, work](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            endOf(outcome);
            if (ContourRun* advanced = runOf(id); advanced != nullptr && outcome.ok()) {
                advanced->snake = work->snake;
            }
            record(id, work->stretch);
            computeNext();
            emit transportChanged();
        });
}

void ContourViewModel::postWhole(ContourRun& run, Engine& engine) {
    advancing_ = true;
    arriving_ = std::make_shared<ArrivingStates>(mostBytes_ - recordedBytes()); // computeNext() has checked the limit
    arrivingRun_ = run.id;
    drain_.start();
    auto end = std::make_shared<EngineRunEnd>();
    EngineTask task{ground(), run.record.allNodes(0), run.spec, run.engine, run.forbidden};
    worker_.post(
        Lane::measure,
        [&engine, task = std::move(task), known = static_cast<std::size_t>(run.record.count()), arriving = arriving_,
         end](const std::stop_token& stop) { *end = runOnEngine(engine, task, known, *arriving, stop); },
        [this, id = run.id, end](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            drain();
            const bool isFull = arriving_ && arriving_->isRefused() && !end->finished && outcome.ok();
            arriving_.reset();
            arrivingRun_ = 0;
            drain_.stop();
            endOf(outcome);
            if (ContourRun* advanced = runOf(id); advanced != nullptr && outcome.ok()) {
                advanced->spec.moves = end->moves;
                if (advanced == currentRun()) {
                    adoptSettings(*advanced);
                }
            }
            if (!end->notice.empty()) {
                emit noticeRaised(takenOverText(end->notice));
            }
            record(id, {{}, end->finished});
            if (isFull) { // possibly by waiting states, which another run would reach again
                setPlaying(false);
                endAtBound();
            } else {
                computeNext();
            }
            emit transportChanged();
        });
}

/// Records the states that have arrived from an engine's run.
void ContourViewModel::drain() {
    if (!arriving_) {
        return;
    }
    const SnakeStretch stretch{arriving_->take(), false};
    if (!stretch.steps.empty()) {
        record(arrivingRun_, stretch);
    }
    if (arriving_ && recordedBytes() + arriving_->heldBytes() >= mostBytes_) {
        arriving_->refuse();
    }
}

void ContourViewModel::endOf(const JobOutcome& outcome) {
    advancing_ = false;
    if (outcome.kind == JobOutcome::Kind::failed) {
        target_ = shown_;
        setPlaying(false);
        setProblem(sentenceOf(outcome.message));
    }
}

void ContourViewModel::record(int id, const SnakeStretch& stretch) {
    ContourRun* const run = runOf(id);
    if (run == nullptr) {
        return;
    }
    for (const ContourStep& step : stretch.steps) {
        run->record.add(step.contour, step.state);
    }
    run->finished = run->finished || stretch.finished;
    const bool isFinishedNow = stretch.finished;
    if (run->compared) {
        gatherCompared();
    }
    if (run == currentRun()) {
        emit statesChanged();
        if (!playing_ && target_ > shown_) {
            if (run->finished) {
                target_ = std::min(target_, stateCount() - 1);
            }
            if (target_ < stateCount() && target_ != shown_) {
                show(target_);
            }
        }
    }
    if (isFinishedNow) {
        emit runsChanged();
        if (followed_ == id) {
            beginFollowing();
        }
    }
}

} // namespace pollard::vm
