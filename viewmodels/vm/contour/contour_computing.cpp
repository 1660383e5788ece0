#include "vm/contour/contour_computing.hpp"

#include "vm/base/async_result.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kTakenAtMost = 256; ///< taken states that are still kept

std::uint64_t bytesOf(const ContourStep& step) {
    return sizeof(ContourStep) + step.state.nodes.size() * sizeof(ContourNode);
}

/// Passes on states that are not known yet, from an engine and from the engine that takes over after a failure.
class StateReporter {
public:
    StateReporter(std::size_t known, ArrivingStates& arriving, const std::stop_token& stop)
        : reached_(known), arriving_(arriving), stop_(stop) {}

    /// An engine that takes over repeats the states from the start.
    void startAgain() { reported_ = 1; } // the starts are known
    /// @return false if no more are accepted
    [[nodiscard]] bool add(ContourStep step) {
        if (wanted_ && ++reported_ > reached_) {
            wanted_ = arriving_.add(std::move(step), stop_);
            reached_ += wanted_ ? 1 : 0;
        }
        return wanted_;
    }
    /// Other states of @p bytes have to wait. @return false if no more are accepted
    [[nodiscard]] bool hold(std::uint64_t bytes) {
        wanted_ = wanted_ && arriving_.hold(bytes);
        return wanted_;
    }
    [[nodiscard]] bool areAllReported() const noexcept { return wanted_; }

private:
    std::size_t reached_;
    std::size_t reported_ = 1;
    bool wanted_ = true;
    ArrivingStates& arriving_;
    std::stop_token stop_;
};

SnakeMoves evolve(Engine& engine, const SnakeJob& job, StateReporter& reporter, const std::stop_token& stop) {
    const bool isAlone = job.starts.size() == 1;
    TurnOrder order(job.starts.size());
    const auto report = [&reporter](std::vector<ContourStep> steps) {
        return std::ranges::all_of(steps, [&](ContourStep& step) { return reporter.add(std::move(step)); });
    };
    const auto listener = [&](std::size_t contour, const SnakeState& state) {
        if (state.kind == SnakeStep::start) {
            return true;
        }
        if (isAlone) {
            return reporter.add({contour, state});
        }
        return report(order.add(contour, state)) && reporter.hold(order.bytes());
    };
    const SnakeMoves moves = engine.runSnake(job, listener, JobControl(stop)).moves;
    if (!isAlone && report(order.finish())) {
        static_cast<void>(reporter.hold(0));
    }
    return moves;
}

} // namespace

bool ArrivingStates::add(ContourStep step, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, stop, [this] { return refused_ || bytes_ < mostBytes_; });
    if (!refused_) {
        bytes_ += bytesOf(step);
        steps_.push_back(std::move(step));
    }
    return !refused_;
}

bool ArrivingStates::hold(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    held_ = bytes;
    refused_ = refused_ || held_ > mostHeld_;
    return !refused_;
}

std::vector<ContourStep> ArrivingStates::take() {
    const std::scoped_lock lock(mutex_);
    bytes_ = 0;
    taken_.notify_all();
    return std::exchange(steps_, {});
}

std::uint64_t ArrivingStates::heldBytes() const {
    const std::scoped_lock lock(mutex_);
    return held_;
}

void ArrivingStates::refuse() {
    const std::scoped_lock lock(mutex_);
    refused_ = true;
    taken_.notify_all();
}

bool ArrivingStates::isRefused() const {
    const std::scoped_lock lock(mutex_);
    return refused_;
}

ContourStep TurnOrder::takeNext() {
    WaitingStates& waiting = waiting_[next_];
    ContourStep step{next_, waiting.states.state(waiting.taken++)};
    // Taken states are removed in batches, for a low cost per state.
    if (2 * waiting.taken >= waiting.states.count() &&
        (waiting.taken == waiting.states.count() || waiting.taken >= kTakenAtMost)) {
        bytes_ -= waiting.states.bytes();
        SnakeRecord left;
        for (; waiting.taken < waiting.states.count(); ++waiting.taken) {
            left.add(waiting.states.state(waiting.taken));
        }
        waiting = {std::move(left), 0};
        bytes_ += waiting.states.bytes();
    }
    return step;
}

std::vector<ContourStep> TurnOrder::add(std::size_t contour, const SnakeState& state) {
    SnakeRecord& states = waiting_[contour].states;
    bytes_ -= states.bytes();
    states.add(state);
    bytes_ += states.bytes();
    std::vector<ContourStep> turns;
    for (; hasNext(); advance()) {
        turns.push_back(takeNext());
    }
    return turns;
}

std::vector<ContourStep> TurnOrder::finish() {
    std::vector<ContourStep> turns;
    for (std::size_t passed = 0; passed < waiting_.size(); advance()) {
        passed = hasNext() ? 0 : passed + 1;
        if (hasNext()) {
            turns.push_back(takeNext());
        }
    }
    return turns;
}

EngineRunEnd runOnEngine(Engine& engine, const SnakeJob& job, std::size_t known, ArrivingStates& arriving,
                         const std::stop_token& stop) {
    EngineRunEnd end;
    StateReporter reporter(known, arriving, stop);
    const std::unique_ptr<Engine> cpu = makeCpuEngine();
    std::vector<Engine*> engines{&engine};
    if (job.algorithm.empty() && engine.name() != cpu->name()) {
        engines.push_back(cpu.get());
    }
    onFirstThatWorks(
        engines,
        [&](Engine& each) {
            reporter.startAgain();
            end.moves = evolve(each, job, reporter, stop);
            end.finished = reporter.areAllReported();
        },
        [&end](const Error& error, const Engine& /*next*/) { end.notice = error.what(); });
    return end;
}

ContourComputing::ContourComputing(const DocumentViewModel& document, ContourSettings& settings, ContourRuns& runs,
                                   ContourPlayback& playback)
    : document_(document), settings_(settings), runs_(runs), playback_(playback) {
    drain_.setInterval(ContourPlayback::kFrameTime);
    drain_.setTimerType(Qt::PreciseTimer);
    connect(&drain_, &QTimer::timeout, this, &ContourComputing::drain);
    connect(&playback_, &ContourPlayback::lacksStates, this, &ContourComputing::computeNext);
    connect(&playback_, &ContourPlayback::paused, this, [this] {
        if (!arriving_) { // a run of an engine continues: it cannot pause, and its states are recorded
            worker_.cancel(Lane::measure);
        }
    });
}

ContourInput ContourComputing::ground() const { return {document_.image(), document_.shown().valid, sums_}; }

void ContourComputing::begin(ContourStart start) {
    if (!document_.hasImage()) {
        runs_.setProblem(tr("Open an image first."));
        return;
    }
    runs_.setProblem({});
    runs_.cancelDrag();
    worker_.cancel(Lane::measure);
    const int replaced = runs_.stateCount() == 1 ? runs_.currentRun()->id : 0;
    runs_.setPending(start);
    worker_.forget(Lane::build);
    worker_.post(
        Lane::build,
        [ground = ground(), start = std::move(start)](const std::stop_token& stop) {
            return makeRun(start, ground, JobControl(stop));
        },
        [this, replaced](const JobOutcome& outcome, ContourRun& made) {
            runs_.setPending({});
            takeMade(std::move(made), replaced, outcome);
        });
    emit playback_.changed();
}

void ContourComputing::takeMade(ContourRun made, int replaced, const JobOutcome& outcome) {
    if (outcome.ok()) {
        if (const ContourRun* old = runs_.find(replaced); old != nullptr && old->record.count() == 1) {
            made.id = old->id;
            made.compared = old->compared;
        }
        made.values = originalMappingOf(document_);
        adopt(std::move(made));
        settings_.adopt(
            *runs_.currentRun()); // with the chosen law; the step of the undo history before it keeps its own
        return;
    }
    if (outcome.kind == JobOutcome::Kind::failed) {
        runs_.setProblem(sentenceOf(outcome.message));
    }
    playback_.setPlaying(false);
    if (const ContourRun* run = runs_.currentRun()) { // back to its settings and state
        settings_.adopt(*run);
        playback_.show(runs_.shown());
    }
    emit playback_.changed();
}

void ContourComputing::adopt(ContourRun run) {
    runs_.adopt(std::move(run));
    emit playback_.changed();
    computeNext();
}

void ContourComputing::drop(int run) {
    if (run == arrivingRun_) {
        worker_.cancel(Lane::measure);
    }
}

void ContourComputing::halt() {
    drain();
    worker_.stop(Lane::measure);
    advancing_ = false;
    arriving_.reset();
    arrivingRun_ = 0;
    drain_.stop();
}

void ContourComputing::reset(DeferredRelease& old) {
    halt();
    for (const Lane lane : {Lane::load, Lane::build}) {
        worker_.stop(lane);
    }
    runs_.setPending({});
    old.hold(std::exchange(sums_, std::make_shared<CachedSums>()));
}

void ContourComputing::computeNext() {
    const ContourRun* current = runs_.currentRun();
    if (current == nullptr || advancing_ || runs_.pending() || current->finished || playback_.statesWanted() <= 0) {
        return;
    }
    if (runs_.recordedBytes() >= mostBytes_) {
        endAtBound();
        return;
    }
    advancing_ = true;
    if (Engine* const engine = wholeEngine(*current)) {
        postWhole(*current, *engine);
    } else {
        postStretch(*current);
    }
    emit playback_.changed();
}

void ContourComputing::endAtBound() {
    playback_.dropTarget();
    runs_.setProblem(tr("The recorded states fill %1: delete a run to continue.")
                         .arg(QLocale().formattedDataSize(static_cast<qint64>(mostBytes_))));
}

Engine* ContourComputing::wholeEngine(const ContourRun& run) const noexcept {
    const bool isForEngines = run.record.contours() == 1 || run.engine.apart;
    return run.engine.isWhole && isForEngines ? document_.shown().frame.engine : nullptr;
}

void ContourComputing::postStretch(const ContourRun& run) {
    struct Work {
        ContourRun run; ///< the run to evolve again
        std::shared_ptr<SnakeGroup> snake;
        SnakeStretch stretch;
    };
    auto work = std::make_shared<Work>();
    work->snake = run.snake;
    if (!work->snake) {
        work->run = run;
    }
    worker_.post(
        Lane::measure,
        [ground = ground(), wanted = playback_.statesWanted(), work](const std::stop_token& stop) {
            const JobControl control(stop);
            if (!work->snake) {
                work->snake = replayedSnake(work->run, ground, control);
            }
            work->stretch = advanceSome(*work->snake, wanted, control);
        },
        [this, id = run.id, work](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            endOf(outcome);
            if (ContourRun* advanced = runs_.find(id); advanced != nullptr && outcome.ok()) {
                advanced->snake = work->snake;
            }
            record(id, work->stretch);
            computeNext();
            emit playback_.changed();
        });
}

void ContourComputing::postWhole(const ContourRun& run, Engine& engine) {
    arriving_ = std::make_shared<ArrivingStates>(mostBytes_ - runs_.recordedBytes()); // computeNext() has checked it
    arrivingRun_ = run.id;
    drain_.start();
    SnakeJob job = jobOf(run, run.record.allNodes(0), ground());
    worker_.post(
        Lane::measure,
        [&engine, job = std::move(job), known = static_cast<std::size_t>(run.record.count()), arriving = arriving_](
            const std::stop_token& stop) { return runOnEngine(engine, job, known, *arriving, stop); },
        [this, id = run.id](const JobOutcome& outcome, const EngineRunEnd& end) {
            drain();
            const bool isFull = arriving_ && arriving_->isRefused() && !end.finished && outcome.ok();
            arriving_.reset();
            arrivingRun_ = 0;
            drain_.stop();
            endOf(outcome);
            if (ContourRun* advanced = runs_.find(id); advanced != nullptr && outcome.ok()) {
                advanced->spec.moves = end.moves;
                if (advanced == runs_.currentRun()) {
                    settings_.adopt(*advanced);
                }
            }
            if (!end.notice.empty()) {
                emit runs_.noticeRaised(takeoverText(end.notice));
            }
            record(id, {{}, end.finished});
            if (isFull) { // possibly by waiting states, which another run would reach again
                playback_.setPlaying(false);
                endAtBound();
            } else {
                computeNext();
            }
            emit playback_.changed();
        });
}

/// Records the states that have arrived from an engine's run.
void ContourComputing::drain() {
    if (!arriving_) {
        return;
    }
    const SnakeStretch stretch{arriving_->take(), false};
    if (!stretch.steps.empty()) {
        record(arrivingRun_, stretch);
    }
    if (arriving_ && runs_.recordedBytes() + arriving_->heldBytes() >= mostBytes_) {
        arriving_->refuse();
    }
}

void ContourComputing::endOf(const JobOutcome& outcome) {
    advancing_ = false;
    if (outcome.kind == JobOutcome::Kind::failed) {
        playback_.dropTarget();
        playback_.setPlaying(false);
        runs_.setProblem(sentenceOf(outcome.message));
    }
}

void ContourComputing::record(int id, const SnakeStretch& stretch) {
    ContourRun* const run = runs_.find(id);
    if (run == nullptr) {
        return;
    }
    for (const ContourStep& step : stretch.steps) {
        run->record.add(step.contour, step.state);
    }
    if (stretch.finished && !run->finished) {
        run->record.trim(run->spec.lengthPrice);
        run->finished = true;
    }
    if (run->compared) {
        runs_.gatherCompared();
    }
    if (run == runs_.currentRun()) {
        emit runs_.statesChanged();
        playback_.takeStates();
    }
    if (stretch.finished) {
        emit runs_.changed();
        emit finished(id);
    }
}

} // namespace pollard::vm
