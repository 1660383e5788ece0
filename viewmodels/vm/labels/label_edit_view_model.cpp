#include "vm/labels/label_edit_view_model.hpp"

#include "vm/base/async_result.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include <QSignalBlocker>

#include <algorithm>
#include <optional>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::size_t kMostWorks = 2;

RegionPoint pointOf(const QPointF& image) { return {image.x(), image.y()}; }

} // namespace

LabelEditViewModel::LabelEditViewModel(ObjectsViewModel& objects, const ObjectTableModel& table, QObject* parent)
    : QObject(parent), objects_(objects), table_(table) {
    connect(&objects_, &ObjectsViewModel::changed, this, &LabelEditViewModel::onObjects);
    connect(&objects_, &ObjectsViewModel::activeChanged, this, &LabelEditViewModel::onObjects);
    connect(&objects_.document(), &DocumentViewModel::imageChanged, this, &LabelEditViewModel::onImage);
}

LabelEditViewModel::~LabelEditViewModel() = default;

bool LabelEditViewModel::isEdited() const noexcept { return work_ && objects_.isEdited(); }

bool LabelEditViewModel::isAvailable() const {
    const auto found = objects_.objects();
    return objects_.isActive() && found && !found->components.labels.empty() &&
           (isEdited() || objects_.state() == ObjectsViewModel::State::ready);
}

void LabelEditViewModel::setOn(bool on) {
    if (!on) {
        setTool(LabelTool::none);
        if (!isEdited()) {
            DeferredRelease old;
            old.hold(std::exchange(work_, nullptr));
        }
    }
    change(this, on_, on, &LabelEditViewModel::toolChanged);
}

void LabelEditViewModel::setTool(LabelTool tool) {
    if (!isAvailable()) {
        tool = LabelTool::none;
    }
    if (tool != tool_) {
        cancel();
        setProblem({});
        on_ = on_ || tool != LabelTool::none;
        change(this, tool_, tool, &LabelEditViewModel::toolChanged);
    }
}

BrushTip LabelEditViewModel::tip() const {
    BrushTip tip;
    tip.radius = brush_ / 2.;
    const DocumentViewModel& document = objects_.document();
    tip.slice = document.isVolume() ? static_cast<std::uint32_t>(document.slice()) : 0;
    tip.ball = ball_ && document.isVolume();
    if (const auto size = document.pixelSizes().present(); size && size->x > 0 && tip.ball) {
        tip.sideY = size->y / size->x;
        tip.sideZ = size->z > 0 ? size->z / size->x : 1;
    }
    return tip;
}

void LabelEditViewModel::begin(const QPointF& image, bool over) {
    if (tool_ != LabelTool::none && isAvailable()) {
        gesture_ = {tool_, {pointOf(image)}, tip(), over};
        setProblem({});
        prepare();
        emit pathChanged();
    }
}

void LabelEditViewModel::moveTo(const QPointF& image) {
    if (!isDrawing()) {
        return;
    }
    if (gesture_.tool == LabelTool::cut && gesture_.points.size() > 1) {
        gesture_.points.back() = pointOf(image);
    } else if (gesture_.points.back() != pointOf(image)) {
        gesture_.points.push_back(pointOf(image));
    }
    emit pathChanged();
}

void LabelEditViewModel::moveCorner(const QPointF& image) {
    if (gesture_.points.size() > 1) {
        gesture_.points.back() = pointOf(image);
        emit pathChanged();
    }
}

void LabelEditViewModel::removeCorner() {
    if (isDrawing()) {
        gesture_.points.pop_back();
        emit pathChanged();
    }
}

void LabelEditViewModel::cancel() {
    if (isDrawing()) {
        gesture_.points.clear();
        emit pathChanged();
    }
}

void LabelEditViewModel::finish() {
    if (isDrawing()) {
        post(editOf(gesture_), kindOf(gesture_.tool));
        cancel();
    }
}

void LabelEditViewModel::remove(const std::vector<std::uint32_t>& labels) {
    post(removalEdit(labels), LabelEdits::Kind::remove);
}

void LabelEditViewModel::take(const std::shared_ptr<const ComponentTree>& tree, std::uint32_t node) {
    post(takeEdit(tree, node), LabelEdits::Kind::take);
}

void LabelEditViewModel::renumber(std::uint32_t label, std::uint32_t number, bool join) {
    const auto found = objects_.objects();
    if (found && label != 0 && label <= found->components.count) {
        const std::uint32_t before = found->components.numberOf(label);
        post(renumberEdit(label, number, join), LabelEdits::Kind::renumber,
             [this, before, number] { objects_.classes().renumberMember(before, number); });
    }
}

void LabelEditViewModel::setClass(std::vector<std::uint32_t> labels, int row) {
    if (const auto found = objects_.objects()) {
        std::ranges::transform(labels, labels.begin(),
                               [&found](std::uint32_t label) { return found->components.numberOf(label); });
        post({}, LabelEdits::Kind::classify,
             [this, numbers = std::move(labels), row] { objects_.classes().setMembers(numbers, row); });
    }
}

void LabelEditViewModel::beginWork() {
    if (!work_) {
        work_ = std::make_shared<LabelWork>(objects_.objects(), measured());
    }
}

void LabelEditViewModel::prepare() {
    beginWork();
    Task task;
    task.work = work_;
    enqueue(std::move(task));
}

void LabelEditViewModel::post(LabelWork::Edit edit, LabelEdits::Kind kind, std::function<void()> made) {
    if (!isAvailable()) {
        return;
    }
    beginWork();
    objects_.setEdited(true); // new ones of the rule would have other numbers
    Task task;
    task.work = work_;
    task.task = Task::Kind::edit;
    task.edit = std::move(edit);
    task.kind = kind;
    task.made = std::move(made);
    enqueue(std::move(task));
}

void LabelEditViewModel::enqueue(Task task) {
    task.turn = turn_;
    waiting_.push_back(std::move(task));
    runNext();
}

void LabelEditViewModel::runNext() {
    if (running_ || waiting_.empty()) {
        return;
    }
    running_ = true;
    Task task = std::move(waiting_.front());
    waiting_.pop_front();
    if (task.task == Task::Kind::edit && table_.marks().objects() == task.work->found()) {
        task.removed = table_.marks().removed();
    }
    emit busyChanged();
    worker_.post(
        Lane::measure,
        [task](const std::stop_token& stop) {
            const JobControl control(stop);
            const std::size_t before = task.work->position();
            switch (task.task) {
            case Task::Kind::prepare:
                task.work->prepare(control);
                break;
            case Task::Kind::edit:
                task.work->apply(task.edit, task.removed, control);
                break;
            case Task::Kind::go:
                task.work->go(task.position, control);
                break;
            }
            return Step{task.work->position() != before, task.work->takeRecords()};
        },
        [this, task](const JobOutcome& outcome, const Step& step) { onDone(task, outcome, step); });
}

void LabelEditViewModel::onDone(const Task& task, const JobOutcome& outcome, const Step& step) {
    running_ = false;
    const bool changed = step.changed;
    const bool isEdit = task.task == Task::Kind::edit;
    const bool isPreparation = task.task == Task::Kind::prepare;
    const bool isLast =
        std::ranges::all_of(waiting_, [](const Task& next) { return next.task == Task::Kind::prepare; });
    if (task.turn == turn_) {
        if (outcome.kind == JobOutcome::Kind::failed && !isPreparation) { // else it comes again with the edit
            setProblem(QString::fromStdString(outcome.message));
        } else if (isEdit) {
            setProblem({});
        }
        if (isEdit && changed) {
            const bool isFirst = state_.work.lock() != work_;
            hold(work_);
            state_ = {work_, work_->position(), task.kind};
            if (isFirst) {
                const QSignalBlocker quiet(objects_.classes()); // a part of this edit
                objects_.classes().clearMembers();              // numbers of other objects
            }
            if (task.made) {
                task.made();
            }
        }
        if (work_ && state_.work.expired() && isLast) { // the first edit had no effect
            objects_.setEdited(false);
        } else if (!isPreparation && (isLast || changed)) {
            found_ = work_->found();
            adopted_.reset();
            objects_.showEdited(found_);
        }
        if (isEdit && changed) {
            emit edited();
        }
    }
    if (!step.records.empty()) { // also of a step that is not shown, because the next step follows it
        emit pixelsEdited(task.work, step.records);
    }
    emit busyChanged();
    runNext();
}

void LabelEditViewModel::hold(const std::shared_ptr<LabelWork>& work) {
    std::erase(works_, work);
    works_.push_back(work);
    if (works_.size() > kMostWorks) {
        works_.pop_front();
    }
    path_ = objects_.document().path();
}

LabelWork::Measured LabelEditViewModel::measured() const {
    const DocumentViewModel& document = objects_.document();
    return {document.isVolume() ? document.shown().volume : document.image(), originalMappingOf(document)};
}

LabelEdits LabelEditViewModel::adopt(LabelRuns labels) {
    const LabelWork::Measured image = measured();
    if (!image.grey || image.grey->extent() != labels.extent()) {
        return {};
    }
    const DocumentViewModel& document = objects_.document();
    adopted_ = std::make_shared<const LabelRuns>(std::move(labels));
    const auto work = std::make_shared<LabelWork>(
        adopted_, objects_.connectivity(), document.isVolume() ? document.request().page : document.page(), image);
    hold(work);
    return {work, 0};
}

LabelEdits LabelEditViewModel::state() const { return state_; }

void LabelEditViewModel::setState(const LabelEdits& state) {
    if (state == state_) {
        return;
    }
    cancel();
    setProblem({});
    waiting_.clear();
    ++turn_;
    const std::shared_ptr<LabelWork> work = state.work.lock();
    state_ = work ? state : LabelEdits{};
    work_ = work;
    found_.reset();
    objects_.setEdited(work != nullptr);
    if (work) {
        objects_.showEdited(nullptr); // until the edits are made
        Task task;
        task.work = work;
        task.task = Task::Kind::go;
        task.position = state.position;
        enqueue(std::move(task));
    }
    emit edited();
}

void LabelEditViewModel::findAgain() { setState({}); }

void LabelEditViewModel::onImage() {
    cancel();
    waiting_.clear();
    ++turn_;
    DeferredRelease old;
    old.hold(std::exchange(work_, nullptr));
    found_.reset();
    adopted_.reset();
    state_ = {};
    if (objects_.document().path() != path_) {
        works_.clear();
    }
    setProblem({});
    emit edited();
    emit toolChanged();
}

void LabelEditViewModel::onObjects() {
    if (isEdited() && objects_.isActive() && !objects_.objects() && !isBusy()) {
        objects_.showEdited(found_); // the panel is seen again
    }
    if (!objects_.isActive()) {
        setTool(LabelTool::none);
    }
    if (work_ && !isEdited() && work_->found() != objects_.objects()) {
        DeferredRelease old;
        old.hold(std::exchange(work_, nullptr));
    }
    emit toolChanged();
}

} // namespace pollard::vm
