#include "vm/contour/contour_view_model.hpp"

#include "vm/contour/contour_texts.hpp"
#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kFrameTime = 16; ///< ms between two frames

} // namespace

ContourViewModel::ContourViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), forbidden_(document), sums_(std::make_shared<KeptSums>()) {
    for (QTimer* timer : {&tick_, &drain_}) {
        timer->setInterval(kFrameTime);
        timer->setTimerType(Qt::PreciseTimer);
    }
    connect(&tick_, &QTimer::timeout, this, &ContourViewModel::showNext);
    connect(&drain_, &QTimer::timeout, this, &ContourViewModel::drain);
    connect(&forbidden_, &ForbiddenArea::changed, this, &ContourViewModel::onForbidden);
    connect(&follow_, &ContourFollow::changed, this, &ContourViewModel::followChanged);
    connect(&follow_, &ContourFollow::pageDone, this, &ContourViewModel::takeFollowed);
    connect(&follow_, &ContourFollow::noticed, this, &ContourViewModel::noticeRaised);
    connect(&follow_, &ContourFollow::failed, this, &ContourViewModel::setProblem);
    connect(&document_, &DocumentViewModel::documentChanged, this, &ContourViewModel::onPicture);
}

ContourGround ContourViewModel::ground() const { return {document_.image(), document_.valid(), sums_}; }

const ContourRun* ContourViewModel::currentRun() const noexcept {
    return current_ < 0 ? nullptr : &runs_[static_cast<std::size_t>(current_)];
}

ContourRun* ContourViewModel::present() noexcept {
    return current_ < 0 ? nullptr : &runs_[static_cast<std::size_t>(current_)];
}

ContourRun* ContourViewModel::runOf(int id) {
    const auto found = std::ranges::find(runs_, id, &ContourRun::id);
    return found == runs_.end() ? nullptr : &*found;
}

QString ContourViewModel::nameOf(int index) const {
    const auto image = document_.image();
    return vm::nameOf(runs_[static_cast<std::size_t>(index)], image ? image->width() : 0, image ? image->height() : 0);
}

std::uint64_t ContourViewModel::recordedBytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const ContourRun& run : runs_) {
        bytes += run.record.bytes();
    }
    for (const auto& page : pages_) {
        for (const ContourRun& run : page.second.runs) {
            bytes += run.record.bytes();
        }
    }
    return bytes;
}

int ContourViewModel::stateCount() const noexcept { return current_ < 0 ? 0 : currentRun()->record.count(); }

bool ContourViewModel::isFinished() const noexcept { return current_ >= 0 && currentRun()->finished; }

std::optional<ContourRecord::Figures> ContourViewModel::figures() const {
    return current_ < 0 ? std::nullopt
                        : std::optional(currentRun()->record.figures(shown_, static_cast<std::size_t>(contour_)));
}

const Contour& ContourViewModel::nodes() const noexcept {
    static const Contour kNone;
    return dragged_ ? dragged_->nodes : nodes_.empty() ? kNone : nodes_[static_cast<std::size_t>(contour_)];
}

std::optional<int> ContourViewModel::draggedNode() const {
    return dragged_ ? std::optional(dragged_->node) : std::nullopt;
}

void ContourViewModel::setSpec(const SnakeSpec& spec) {
    if (spec == spec_) {
        return;
    }
    spec_ = spec;
    emit specChanged();
    restart();
}

void ContourViewModel::setEngine(const ContourEngine& engine) {
    if (engine != engine_) {
        if (engine.apart != engine_.apart) {
            reach_ = engine.apart;
        }
        engine_ = engine;
        emit engineSet();
        restart();
    }
}

void ContourViewModel::setReach(const std::optional<std::uint32_t>& margin) {
    ContourEngine engine = engine_;
    engine.apart = margin;
    setEngine(engine);
    reach_ = margin;
}

/// Changes the engine as a setting of the current run, not as an edit.
void ContourViewModel::takeEngine(const ContourEngine& engine) {
    const bool wasAdopting = std::exchange(adopting_, true);
    if (std::exchange(engine_, engine) != engine) {
        emit engineSet();
    }
    adopting_ = wasAdopting;
}

void ContourViewModel::onForbidden() {
    if (!adopting_ && document_.request().samePicture(shownPage_)) {
        restart();
    }
}

/// Uses the present settings for the pending start, or branches from the shown state.
void ContourViewModel::restart() {
    if (starting_ != 0) {
        ContourStart again = pending_;
        again.spec = spec_;
        again.engine = engine_;
        again.forbidden = forbidden_.mask();
        begin(std::move(again));
    } else if (current_ >= 0) {
        branch(nodes_);
    }
}

void ContourViewModel::setSpeed(double statesPerSecond) {
    const double speed = std::max(0.0, statesPerSecond);
    if (speed != speed_) {
        speed_ = speed;
        emit transportChanged();
    }
}

void ContourViewModel::setActive(bool active) {
    if (active == active_) {
        return;
    }
    active_ = active;
    if (!active_) {
        pause();
        cancelDrag();
        forbidden_.setPainting(false);
    }
    emit activeChanged();
}

void ContourViewModel::setTinted(bool tinted) {
    if (tinted != tinted_) {
        tinted_ = tinted;
        emit tintedChanged();
    }
}

ContourStart ContourViewModel::branchStart() const {
    ContourStart start;
    start.spec = spec_;
    start.engine = engine_;
    start.forbidden = forbidden_.mask();
    if (const ContourRun* run = currentRun()) {
        const bool moved = run->record.count() > 1;
        start.origin = run->origin;
        start.parent = moved ? run->id : run->parent;
        start.parentState = moved ? shown_ : run->parentState;
        start.contour = static_cast<std::size_t>(contour_);
    }
    return start;
}

void ContourViewModel::branch(std::vector<Contour> nodes) {
    ContourStart start = branchStart();
    start.make = [nodes = std::move(nodes)](const JobControl&) { return nodes; };
    begin(std::move(start));
}

void ContourViewModel::begin(ContourStart start) {
    if (!document_.hasImage()) {
        setProblem(tr("Open an image first."));
        return;
    }
    setProblem({});
    cancelDrag();
    worker_.cancel(Lane::measure);
    const int replaced = current_ >= 0 && currentRun()->record.count() == 1 ? currentRun()->id : 0;
    auto made = std::make_shared<ContourRun>();
    pending_ = start;
    starting_ = worker_.post(
        Lane::build,
        [ground = ground(), start = std::move(start), made](const std::stop_token& stop) {
            *made = madeRun(start, ground, JobControl(stop));
        },
        [this, made, replaced](LatestWinsWorker::Generation generation, const JobOutcome& outcome) {
            if (generation != starting_) {
                return; // a newer one is pending
            }
            starting_ = 0;
            if (outcome.ok()) {
                if (ContourRun* old = runOf(replaced); old != nullptr && old->record.count() == 1) {
                    made->id = old->id;
                    made->compared = old->compared;
                }
                adopt(std::move(*made));
            } else {
                if (outcome.kind == JobOutcome::Kind::failed) {
                    setProblem(sentenceOf(outcome.message));
                }
                setPlaying(false);
                goBack();
                emit transportChanged();
            }
        });
    emit transportChanged();
}

/// Restores the settings and the state of the current run after a failed start.
void ContourViewModel::goBack() {
    if (current_ >= 0) {
        adoptSettings(*currentRun());
        show(shown_);
    }
}

void ContourViewModel::adoptSettings(const ContourRun& run) {
    adopting_ = true;
    const bool otherSpec = std::exchange(spec_, run.spec) != run.spec;
    const bool otherEngine = std::exchange(engine_, run.engine) != run.engine;
    if (otherSpec) {
        emit specChanged();
    }
    if (otherEngine) {
        emit engineSet();
    }
    forbidden_.set(run.forbidden);
    adopting_ = false;
}

void ContourViewModel::adopt(ContourRun run) {
    if (ContourRun* old = runOf(run.id)) {
        current_ = static_cast<int>(old - runs_.data());
        *old = std::move(run);
    } else {
        run.id = ++lastId_;
        runs_.push_back(std::move(run));
        current_ = static_cast<int>(runs_.size()) - 1;
    }
    pointTo(currentRun()->shown);
    gatherCompared();
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
    emit transportChanged();
    computeNext();
}

void ContourViewModel::selectRun(int index) {
    if (index < 0 || index >= static_cast<int>(runs_.size()) || index == current_) {
        return;
    }
    pause();
    cancelDrag();
    setProblem({});
    current_ = index;
    pointTo(currentRun()->shown);
    adoptSettings(*currentRun());
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
}

void ContourViewModel::deleteRun(int index) {
    if (index < 0 || index >= static_cast<int>(runs_.size())) {
        return;
    }
    if (index == current_) {
        pause();
        cancelDrag();
    }
    if (runs_[static_cast<std::size_t>(index)].id == arrivingRun_) {
        worker_.cancel(Lane::measure);
    }
    setProblem({});
    runs_.erase(runs_.begin() + index);
    const bool wasCurrent = index == current_;
    if (index < current_ || current_ == static_cast<int>(runs_.size())) {
        --current_;
    }
    gatherCompared();
    if (wasCurrent) {
        if (current_ >= 0) {
            pointTo(currentRun()->shown);
            adoptSettings(*currentRun());
        } else {
            shown_ = target_ = contour_ = 0;
            nodes_.clear();
        }
    }
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
    emit transportChanged();
}

void ContourViewModel::setCompared(int index, bool compared) {
    if (index < 0 || index >= static_cast<int>(runs_.size()) ||
        runs_[static_cast<std::size_t>(index)].compared == compared) {
        return;
    }
    runs_[static_cast<std::size_t>(index)].compared = compared;
    gatherCompared();
    emit runsChanged();
}

void ContourViewModel::gatherCompared() {
    compared_.clear();
    for (const ContourRun& run : runs_) {
        if (run.compared) {
            for (Contour& contour : run.record.allNodes(run.record.count() - 1)) {
                compared_.push_back(std::move(contour));
            }
        }
    }
}

void ContourViewModel::setProblem(const QString& problem) {
    if (problem != problem_) {
        problem_ = problem;
        emit problemChanged();
    }
}

} // namespace pollard::vm
