#include "vm/contour/contour_computing.hpp"

#include "vm/base/deferred_release.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"

#include <QLocale>

#include <utility>

namespace pollard::vm {

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
            return madeRun(start, ground, JobControl(stop));
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
    playback_.stay();
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
                work->snake = madeAgain(work->run, ground, control);
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
                emit runs_.noticeRaised(takenOverText(end.notice));
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
        playback_.stay();
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
