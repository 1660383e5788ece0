#include "contour_view_model.hpp"

#include "document_view_model.hpp"
#include "node_picking.hpp"
#include "retired_data.hpp"

#include "base/error.hpp"
#include "snake/contour_start.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kTick = 16;             ///< ms between two pictures
constexpr int kStatesOfStretch = 256; ///< while it plays

ContourNode cornerAt(const QPointF& image, const QSize& picture) {
    const auto place = [](double value, int limit) {
        return static_cast<std::int32_t>(std::lround(std::clamp(value, 0.0, static_cast<double>(limit))));
    };
    return {place(image.x(), picture.width()), place(image.y(), picture.height())};
}

QString lawName(RegionLaw law) {
    switch (law) {
    case RegionLaw::gaussian:
        return ContourViewModel::tr("Gaussian");
    case RegionLaw::poisson:
        return ContourViewModel::tr("Poisson");
    case RegionLaw::gamma:
        return ContourViewModel::tr("Gamma");
    case RegionLaw::rayleigh:
        return ContourViewModel::tr("Rayleigh");
    }
    return {};
}

/// One sentence for a person of what the core says.
QString sentenceOf(const std::string& message) {
    QString text = QString::fromStdString(message);
    const QString prefix = QStringLiteral("region snake: ");
    if (text.startsWith(prefix)) {
        text.remove(0, prefix.size());
    }
    if (text.isEmpty()) {
        return ContourViewModel::tr("There is not enough memory.");
    }
    text[0] = text[0].toUpper();
    return text.endsWith(u'.') ? text : text + u'.';
}

/// The pixels of an object within the rectangle around it.
Mask maskOf(const Components& components, std::uint32_t label) {
    const ComponentRecord& object = components.objects[label - 1];
    Mask mask(object.width(), object.height(), false);
    for (std::uint32_t y = object.top; y <= object.bottom; ++y) {
        for (std::uint32_t x = object.left; x <= object.right; ++x) {
            if (components.labels[std::size_t{y} * components.width + x] == label) {
                mask.set(x - object.left, y - object.top, true);
            }
        }
    }
    return mask;
}

Mask maskOf(const ComponentTree& tree, std::uint32_t node, const JobControl& control) {
    Mask mask(tree.width, tree.height, false);
    for (std::uint32_t y = 0; y < tree.height; ++y) {
        control.throwIfStopped();
        for (std::uint32_t x = 0; x < tree.width; ++x) {
            if (tree.contains(node, tree.pixelNode[std::size_t{y} * tree.width + x])) {
                mask.set(x, y, true);
            }
        }
    }
    return mask;
}

} // namespace

ContourViewModel::ContourViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), sums_(std::make_shared<KeptSums>()) {
    tick_.setInterval(kTick);
    tick_.setTimerType(Qt::PreciseTimer);
    connect(&tick_, &QTimer::timeout, this, &ContourViewModel::showNext);
    connect(&document_, &DocumentViewModel::documentChanged, this, &ContourViewModel::onPicture);
}

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
    const ContourRun& run = runs_[static_cast<std::size_t>(index)];
    const auto image = document_.image();
    const std::uint32_t step = image ? usedMaxStep(run.spec, image->width(), image->height()) : run.spec.maxStep;
    const QString name =
        tr("%1: %2, step %3, length %4").arg(run.id).arg(lawName(run.spec.law)).arg(step).arg(run.spec.minLength);
    return run.parent == 0 ? tr("%1; %2").arg(name, run.origin)
                           : tr("%1; from run %2 at state %3").arg(name).arg(run.parent).arg(run.parentState);
}

std::uint64_t ContourViewModel::recordedBytes() const noexcept {
    std::uint64_t bytes = 0;
    for (const ContourRun& run : runs_) {
        bytes += run.record.bytes();
    }
    return bytes;
}

int ContourViewModel::stateCount() const noexcept { return current_ < 0 ? 0 : currentRun()->record.count(); }

bool ContourViewModel::isFinished() const noexcept { return current_ >= 0 && currentRun()->finished; }

const SnakeRecord::Figures* ContourViewModel::figures() const {
    return current_ < 0 ? nullptr : &currentRun()->record.figures(shown_);
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
    if (starting_ != 0) {
        ContourStart again = pending_;
        again.spec = spec;
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
    }
    emit activeChanged();
}

void ContourViewModel::setTinted(bool tinted) {
    if (tinted != tinted_) {
        tinted_ = tinted;
        emit tintedChanged();
    }
}

void ContourViewModel::startFrom(const Contour& contour, const QString& origin) {
    begin({[contour](const JobControl&) { return contour; }, spec_, origin, 0, 0});
}

void ContourViewModel::startFromShape(const RegionShape& shape) {
    const auto image = document_.image();
    if (!image) {
        return;
    }
    const QString origin = shape.kind == RegionShape::Kind::rectangle ? tr("rectangle")
                           : shape.kind == RegionShape::Kind::ellipse ? tr("ellipse")
                                                                      : tr("polygon");
    startFrom(contourOf(shape, spec_.minLength, image->width(), image->height()), origin);
}

void ContourViewModel::startInMiddle(const QRectF& part) {
    const QPointF quarter(part.width() / 4, part.height() / 4);
    const QPointF from = part.topLeft() + quarter;
    const QPointF to = part.bottomRight() - quarter;
    startFromShape({RegionShape::Kind::rectangle, {{from.x(), from.y()}, {to.x(), to.y()}}});
}

void ContourViewModel::startFromObject(const std::shared_ptr<const FoundObjects>& objects, quint32 label) {
    if (!objects || label == 0 || label > objects->components.count) {
        setProblem(tr("No object is selected."));
        return;
    }
    const auto make = [objects, label, spec = spec_](const JobControl& control) {
        const ComponentRecord& object = objects->components.objects[label - 1];
        const ContourNode corner{static_cast<std::int32_t>(object.left), static_cast<std::int32_t>(object.top)};
        return thinned(outlineOf(maskOf(objects->components, label), corner, control), spec.minLength, spec.maxNodes);
    };
    begin({make, spec_, tr("object %1").arg(label), 0, 0});
}

void ContourViewModel::startFromComponent(quint32 canonical) {
    const auto tree = document_.tree();
    const auto node = tree ? nodeOfCanonical(*tree, canonical) : std::nullopt;
    if (!node) {
        setProblem(tr("The component is not in this tree."));
        return;
    }
    const auto make = [tree, node = *node, spec = spec_](const JobControl& control) {
        return thinned(outlineOf(maskOf(*tree, node, control), {}, control), spec.minLength, spec.maxNodes);
    };
    begin({make, spec_, tr("component"), 0, 0});
}

void ContourViewModel::branch(Contour nodes) {
    const ContourRun& run = *currentRun();
    const bool moved = run.record.count() > 1;
    begin({[nodes = std::move(nodes)](const JobControl&) { return nodes; }, spec_, run.origin,
           moved ? run.id : run.parent, moved ? shown_ : run.parentState});
}

void ContourViewModel::begin(ContourStart start) {
    const auto image = document_.image();
    if (!image) {
        setProblem(tr("Open an image first."));
        return;
    }
    setProblem({});
    cancelDrag();
    worker_.cancel(Lane::measure);
    const int replaced = current_ >= 0 && currentRun()->record.count() == 1 ? currentRun()->id : 0;
    auto made = std::make_shared<ContourRun>();
    made->spec = start.spec;
    made->origin = start.origin;
    made->parent = start.parent;
    made->parentState = start.parentState;
    pending_ = start;
    starting_ = worker_.post(
        Lane::build,
        [image, valid = document_.valid(), sums = sums_, start = std::move(start), made](const std::stop_token& stop) {
            const JobControl control(stop);
            made->snake = std::make_shared<SnakeRun>(sums->of(image, valid, control), start.make(control), start.spec);
            made->record.add(made->snake->state());
        },
        [this, made, replaced](LatestWinsWorker::Generation generation, const JobOutcome& outcome) {
            if (generation != starting_) {
                return; // a newer one is on its way
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

/// To what the run at hand has, after a start that failed.
void ContourViewModel::goBack() {
    if (current_ >= 0) {
        adoptSpec(currentRun()->spec);
        show(shown_);
    }
}

void ContourViewModel::adoptSpec(const SnakeSpec& spec) {
    if (spec != spec_) {
        spec_ = spec;
        emit specChanged();
    }
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
    pointTo(0);
    gatherCompared();
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
    emit transportChanged();
    computeNext();
}

void ContourViewModel::play() {
    if (current_ < 0 || playing_) {
        return;
    }
    cancelDrag();
    setProblem({});
    if (isFinished() && shown_ + 1 == stateCount()) {
        show(0); // once more
    }
    setPlaying(true);
    computeNext();
}

void ContourViewModel::pause() {
    target_ = shown_;
    setPlaying(false);
    worker_.cancel(Lane::measure);
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

/// Makes it the shown state without a word: of a run that has just become the one at hand, before anybody asks.
void ContourViewModel::pointTo(int number) {
    ContourRun& run = *present();
    shown_ = number;
    target_ = number;
    due_ = 0;
    run.shown = number;
    nodes_ = run.record.nodes(number);
}

void ContourViewModel::show(int number) {
    pointTo(number);
    emit shownChanged();
}

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
    const int last = stateCount() - 1;
    due_ += speed_ * static_cast<double>(sinceTick_.restart()) / 1000;
    const bool fastest = hurrying_ || speed_ == kFastest;
    const int next = fastest ? last : static_cast<int>(std::min<double>(shown_ + std::floor(due_), last));
    if (next != shown_) {
        const double rest = due_ - std::floor(due_);
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
        setProblem(tr("The recorded states fill %1: delete a run to go on.")
                       .arg(QLocale().formattedDataSize(static_cast<qint64>(mostBytes_))));
        target_ = shown_;
        return;
    }
    advancing_ = true;
    auto stretch = std::make_shared<SnakeStretch>();
    worker_.post(
        Lane::measure,
        [snake = run->snake, wanted, stretch](const std::stop_token& stop) {
            *stretch = advanceSome(*snake, wanted, JobControl(stop));
        },
        [this, id = run->id, stretch](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            advancing_ = false;
            if (outcome.kind == JobOutcome::Kind::failed) {
                setPlaying(false);
                setProblem(sentenceOf(outcome.message));
            }
            take(id, *stretch);
        });
    emit transportChanged();
}

void ContourViewModel::take(int id, const SnakeStretch& stretch) {
    if (ContourRun* run = runOf(id)) {
        for (const SnakeState& state : stretch.states) {
            run->record.add(state);
        }
        run->finished = run->finished || stretch.finished;
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
        if (run->finished) {
            emit runsChanged();
        }
    }
    computeNext();
    emit transportChanged();
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
    adoptSpec(currentRun()->spec);
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
            adoptSpec(currentRun()->spec);
        } else {
            shown_ = target_ = 0;
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
            compared_.push_back(run.record.nodes(run.record.count() - 1));
        }
    }
}

void ContourViewModel::beginDrag(int node) {
    if (canDrag() && node >= 0 && node < static_cast<int>(nodes_.size())) {
        dragged_ = Dragged{node, nodes_};
        emit shownChanged();
    }
}

void ContourViewModel::dragTo(const QPointF& image) {
    const auto picture = document_.image();
    if (!dragged_ || !picture) {
        return;
    }
    const ContourNode place =
        cornerAt(image, QSize(static_cast<int>(picture->width()), static_cast<int>(picture->height())));
    const auto node = static_cast<std::size_t>(dragged_->node);
    const std::size_t count = nodes_.size();
    dragged_->nodes[node] = place;
    dragged_->moved = place != nodes_[node];
    dragged_->allowed = !dragged_->moved || !wouldTouch(nodes_, (node + count - 1) % count, (node + 1) % count, place);
    emit shownChanged();
}

void ContourViewModel::endDrag() {
    if (!dragged_) {
        return;
    }
    Dragged ended = *std::exchange(dragged_, std::nullopt);
    if (ended.moved && ended.allowed) {
        nodes_ = ended.nodes; // until the new run is there
        branch(std::move(ended.nodes));
    } else if (ended.moved) {
        setProblem(tr("The node went back: there the contour would touch or cross itself."));
    }
    emit shownChanged();
}

void ContourViewModel::cancelDrag() {
    if (std::exchange(dragged_, std::nullopt)) {
        emit shownChanged();
    }
}

void ContourViewModel::onPicture() {
    for (const Lane lane : {Lane::build, Lane::measure}) {
        worker_.cancel(lane);
        worker_.forget(lane);
    }
    starting_ = 0;
    advancing_ = false;
    setPlaying(false);
    dragged_.reset();
    RetiredData old;
    old.hold(std::exchange(sums_, std::make_shared<KeptSums>()));
    old.hold(std::make_shared<std::vector<ContourRun>>(std::exchange(runs_, {})));
    current_ = -1;
    lastId_ = 0;
    shown_ = target_ = 0;
    nodes_.clear();
    compared_.clear();
    setProblem({});
    emit runsChanged();
    emit statesChanged();
    emit shownChanged();
    emit transportChanged();
}

void ContourViewModel::setProblem(const QString& problem) {
    if (problem != problem_) {
        problem_ = problem;
        emit problemChanged();
    }
}

} // namespace pollard::vm
