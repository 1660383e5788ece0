#include "vm/session/edit_history.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/channel_filters.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "filter/node_decision.hpp"

#include <QUndoCommand>

#include <set>
#include <utility>

namespace pollard::vm {

namespace {

SelectedNodes noSelection() {
    static const auto kNone = std::make_shared<const NodeSet>();
    return {kNone, 0};
}

/// Whether both restrict the analysis in the same way.
bool isSameRegion(const RegionStep& a, const RegionStep& b) {
    return a.shapes == b.shapes && (a.shapes.empty() || a.inverted == b.inverted);
}

bool hasSameTree(const EditState& a, const EditState& b) {
    return a.tree == b.tree && a.earlier == b.earlier && isSameRegion(a.region, b.region);
}

} // namespace

/// An edit from one state to another. The states are shared with the adjacent entries, so that later consequences of an
/// edit apply to both.
class EditHistory::Command : public QUndoCommand {
public:
    Command(EditHistory& history, SharedState before, SharedState after, const QString& text)
        : history_(history), before_(std::move(before)), after_(std::move(after)),
          gesture_(before_->read.sameImage(after_->read)   ? history.gesture_
                   : before_->read.sameStack(after_->read) ? kPages
                                                           : -1),
          named_(!text.isEmpty()) {
        setText(named_ ? text : editText(*before_, *after_));
    }

    void undo() override { history_.goTo(before_); }
    void redo() override {
        if (std::exchange(made_, true)) {
            history_.goTo(after_);
        }
    }
    /// Whether it changes parameters of contours and no runs.
    [[nodiscard]] bool isOfParameters() const {
        return !(before_->contours == after_->contours) && before_->runs == after_->runs;
    }
    [[nodiscard]] const SharedState& before() const noexcept { return before_; }
    [[nodiscard]] int id() const override { return gesture_; }
    /// Whether it changes earlier filters from @p from to @p to.
    [[nodiscard]] bool leads(const FilterStages& from, const FilterStages& to) const {
        return before_->earlier == from && after_->earlier == to;
    }
    bool mergeWith(const QUndoCommand* other) override {
        after_ = static_cast<const Command*>(other)->after_;
        if (isSameEdit(*before_, *after_)) {
            history_.present_ = before_;
            setObsolete(true);
        } else if (!named_) {
            setText(editText(*before_, *after_));
        }
        return true;
    }

private:
    static constexpr int kPages = 0; ///< entries of consecutive page changes; gestures have numbers from 1 on

    EditHistory& history_;
    SharedState before_;
    SharedState after_;
    int gesture_;
    bool named_;
    bool made_ = false; ///< the first redo() is for an edit that has already been made
};

EditHistory::Group::Group(EditHistory& history, QString text) : history_(history), text_(std::move(text)) {
    ++history_.groups_;
}

EditHistory::Group::~Group() {
    if (--history_.groups_ == 0) {
        history_.onEdit(text_);
    }
}

EditHistory::EditHistory(const Subjects& subjects, QObject* parent)
    : QObject(parent), subjects_(subjects), present_(std::make_shared<EditState>()) {
    stack_.setUndoLimit(kMostEntries);
    *present_ = state();
    filtered_ = subjects_.document.choices().filterSpec();
    const auto edit = [this] { onEdit(); };
    connect(&subjects_.filter, &FilterViewModel::edited, this, edit);
    connect(&subjects_.region, &RegionViewModel::changed, this, edit);
    connect(&subjects_.document.choices(), &DocumentChoices::treeSpecChanged, this, edit);
    connect(&subjects_.document.pixelSizes(), &DocumentPixelSizes::changed, this, edit);
    connect(&subjects_.objects, &ObjectsViewModel::settingsChanged, this, edit);
    connect(&subjects_.selection, &NodeSelection::changed, this, &EditHistory::onSelection);
    connect(&subjects_.objectTable.marks(), &ObjectMarks::removedChanged, this, &EditHistory::onRemovedObjects);
    connect(&subjects_.document, &DocumentViewModel::imageChanged, this, &EditHistory::onDocument);
    connect(&subjects_.document.choices(), &DocumentChoices::earlierFiltersChanged, this,
            &EditHistory::onEarlierFilters);
    connect(&subjects_.document, &DocumentViewModel::treeChanged, this, &EditHistory::onTree);
    // A tree or result can turn out to be the requested one without being made again. Queued: all listeners of the
    // signal have to be done.
    connect(&subjects_.document.activity(), &DocumentActivity::stateChanged, this, &EditHistory::onState,
            Qt::QueuedConnection);
    connect(&subjects_.document.activity(), &DocumentActivity::filteringChanged, this, &EditHistory::settle,
            Qt::QueuedConnection);
    connect(&subjects_.region, &RegionViewModel::areaChanged, this, &EditHistory::settle, Qt::QueuedConnection);
    connect(&subjects_.objectTable, &ObjectTableModel::listingChanged, this, &EditHistory::onObjects);
    if (subjects_.labels != nullptr) {
        connect(subjects_.labels, &LabelEditViewModel::edited, this, edit);
    }
    if (subjects_.contours != nullptr) {
        for (const auto signal : {&ContourSettings::specChanged, &ContourSettings::engineSet}) {
            connect(&subjects_.contours->settings(), signal, this, &EditHistory::onContours);
        }
        connect(&subjects_.contours->runs(), &ContourRuns::changed, this, &EditHistory::onRuns);
        connect(&subjects_.contours->follow(), &ContourFollow::changed, this, &EditHistory::onRuns);
    }
}

EditState EditHistory::state() const {
    const DocumentViewModel& document = subjects_.document;
    const RegionViewModel::State& region = subjects_.region.state();
    EditState state;
    state.read = document.request();
    state.folderSize = document.pixelSizes().ofFolder();
    state.earlier = document.choices().earlierFilters();
    state.region = {region.shapes, region.inverted};
    state.selectedShape = region.selected;
    state.tree = document.choices().tree();
    state.filter = subjects_.filter.state();
    state.channel = subjects_.filter.channels().present();
    state.channels = subjects_.filter.channels().others();
    state.objects = subjects_.objects.settings();
    if (subjects_.labels != nullptr) {
        state.labels = subjects_.labels->state();
    }
    if (subjects_.contours != nullptr) {
        state.contours = {subjects_.contours->settings().spec(), subjects_.contours->settings().engine()};
        state.runs = runsOfContours();
    }
    state.selection = selectionOf(state);
    state.removedObjects = removalOf(state);
    return state;
}

SelectedNodes EditHistory::selectionOf(const EditState& state) const {
    if (awaitedSelection_) {
        return *awaitedSelection_;
    }
    if (awaitedPixels_) {
        return {};
    }
    if (isTreeSettled()) {
        return {subjects_.selection.nodes(), subjects_.document.tree()->nodeCount()};
    }
    return isOfPresent() && hasSameTree(*present_, state) ? present_->selection : noSelection();
}

RemovedObjects EditHistory::removalOf(const EditState& state) const {
    if (awaitedRemoval_) {
        return *awaitedRemoval_;
    }
    if (!isOfPresent() || !state.objects.findsSameObjectsAs(present_->objects) || state.labels != present_->labels) {
        return nullptr; // these objects are not found yet
    }
    if (areObjectsSettled()) {
        return subjects_.objectTable.marks().removed();
    }
    return findsSameObjects(state) ? present_->removedObjects : nullptr;
}

bool EditHistory::findsSameObjects(const EditState& state) const {
    return state.labels == present_->labels && state.objects.findsSameObjectsAs(present_->objects) &&
           isSameRegion(state.region, present_->region) &&
           (state.objects.of == StepImage::original ||
            (hasSameTree(*present_, state) && subjects_.document.choices().filterSpec() == filtered_));
}

void EditHistory::setState(const EditState& state, const QString& text) {
    const Group group(*this, text);
    const SharedState before = present_;
    apply(std::make_shared<EditState>(state));
    present_ = before;
    awaitsNext_ = true;
}

void EditHistory::begin(const EditState& state, CanonicalSelections selections) {
    EditState first = state;
    first.read = subjects_.document.request();
    first.folderSize = subjects_.document.pixelSizes().ofFolder();
    first.selection = {};
    first.runs = this->state().runs;
    awaited_.reset();
    reading_.reset();
    awaitedSelection_.reset();
    awaitedRemoval_.reset();
    awaitedPixels_ = std::move(selections);
    apply(std::make_shared<EditState>(std::move(first)));
    present_ = std::make_shared<EditState>(this->state());
    states_.clear();
    stack_.clear();
    settle();
}

void EditHistory::beginGesture() { gesture_ = ++lastGesture_; }

void EditHistory::endGesture() { gesture_ = -1; }

void EditHistory::onEdit(const QString& text) {
    if (applying_ || groups_ > 0 || subjects_.region.isEditing() || awaited_ || !isOfPresent()) {
        return;
    }
    auto next = std::make_shared<EditState>(state());
    if (!std::exchange(awaitsNext_, false)) {
        dropOvertaken(*next);
    }
    next->selection = selectionOf(*next);
    next->removedObjects = removalOf(*next);
    filtered_ = subjects_.document.choices().filterSpec();
    if (isSameEdit(*present_, *next)) {
        *present_ = *next;
        return;
    }
    const SharedState before = std::exchange(present_, std::move(next));
    states_.emplace_back(present_);
    stack_.push(new Command(*this, before, present_, text));
    forgetOldSelections();
}

void EditHistory::dropOvertaken(const EditState& next) {
    if (awaitedSelection_ && !hasSameTree(*present_, next)) {
        awaitedSelection_ = noSelection();
    }
    if (awaitedRemoval_ && !findsSameObjects(next)) {
        awaitedRemoval_ = RemovedObjects{};
    }
}

bool EditHistory::isOfPresent() const { return subjects_.document.request().sameImage(present_->read); }

void EditHistory::onSelection() {
    if (applying_ || tree_.lock() != subjects_.document.tree()) {
        return; // removed with its tree
    }
    awaitedSelection_.reset();
    awaitedPixels_.reset();
    onEdit();
}

void EditHistory::onContours() {
    if (applying_) {
        return;
    }
    if (subjects_.contours->settings().isAdopting()) { // settings of the current run, which has changed
        if (isOfPresent()) {
            present_->contours = state().contours;
        }
    } else {
        onEdit();
    }
}

ContourRunList EditHistory::runsOfContours() const {
    return subjects_.contours->follow().isRunning() ? present_->runs : subjects_.contours->runs().list();
}

void EditHistory::onRuns() {
    const ContourRunList runs = runsOfContours();
    if (applying_ || !isOfPresent() || runs == present_->runs) {
        return;
    }
    const auto* last = static_cast<const Command*>(stack_.command(stack_.index() - 1));
    const ContourRun* run = subjects_.contours->runs().currentRun();
    const bool isOfParameters = last != nullptr && last->isOfParameters() && stack_.index() == stack_.count();
    if (isOfParameters && run != nullptr && (run->parent != 0 || runs.removed != present_->runs.removed)) {
        present_->runs = runs;
    } else {
        onEdit();
    }
}

void EditHistory::onRemovedObjects() {
    if (applying_ || found_.lock() != subjects_.objectTable.marks().objects()) {
        return; // other objects
    }
    awaitedRemoval_.reset();
    onEdit();
}

void EditHistory::onDocument() {
    awaitedSelection_.reset();
    awaitedPixels_.reset();
    awaitedRemoval_.reset();
    const OpenRequest& read = subjects_.document.request();
    if (awaited_ && reading_ == read && awaited_->read.sameImage(read)) {
        takeAwaited();
    } else if (awaited_ && reading_ == read && subjects_.document.reading().presentRequest() == read) {
        reading_.reset(); // undo and redo went on meanwhile
        QMetaObject::invokeMethod(this, &EditHistory::readAwaited, Qt::QueuedConnection);
    } else {
        returnToOpenImage(); // another image was opened during the read
        takeReading();
    }
}

void EditHistory::takeAwaited() {
    reading_.reset();
    apply(std::exchange(awaited_, nullptr));
}

/// Reads one file at a time: a repeated read would look like another image to all receivers.
void EditHistory::readAwaited() {
    if (!awaited_ || reading_) {
        return;
    }
    if (awaited_->read.sameImage(subjects_.document.request())) {
        takeAwaited();
    } else {
        reading_ = awaited_->read;
        subjects_.document.openAs(*reading_);
    }
}

void EditHistory::takeReading() {
    const OpenRequest& read = subjects_.document.request();
    const bool isSameFile = subjects_.document.hasImage() && read.path == present_->read.path;
    const SharedState before = std::exchange(present_, std::make_shared<EditState>(state()));
    filtered_ = subjects_.document.choices().filterSpec();
    if (isSameFile && read != before->read) {
        states_.emplace_back(present_);
        stack_.push(new Command(*this, before, present_, {}));
        forgetOldSelections();
    } else {
        states_.clear();
        stack_.clear();
    }
}

/// Restores an earlier state.
void EditHistory::goTo(const SharedState& state) {
    if (returning_) {
        return;
    }
    if (!awaited_ && state->read.sameImage(subjects_.document.request())) {
        apply(state);
        return;
    }
    awaited_ = state;
    readAwaited();
}

int EditHistory::indexOfPresent() const {
    int index = 0;
    while (index < stack_.count() &&
           static_cast<const Command*>(stack_.command(index))->before() != present_) { // the next entry shares after()
        ++index;
    }
    return index;
}

void EditHistory::returnToOpenImage() {
    if (!awaited_) {
        return;
    }
    awaited_.reset();
    reading_.reset();
    returning_ = true;
    stack_.setIndex(indexOfPresent());
    returning_ = false;
}

void EditHistory::onState() {
    if (reading_ && subjects_.document.activity().state() != DocumentActivity::State::loading) {
        returnToOpenImage(); // the file could not be read so, or that was cancelled
        if (isOfPresent()) {
            onEdit(); // edits made meanwhile
        } else {
            takeReading(); // the reading of a step in between
        }
    }
    settle();
}

/// Intentional changes are made in a group. Any other change means that requested filters failed: then the edit, undo
/// or redo that requested them is reversed with all its changes.
void EditHistory::onEarlierFilters() {
    if (applying_ || groups_ > 0 || awaited_ || present_->earlier == subjects_.document.choices().earlierFilters()) {
        return;
    }
    const auto leads = [this](int index, const FilterStages& from, const FilterStages& to) {
        const auto* command = static_cast<const Command*>(stack_.command(index));
        return command != nullptr && command->leads(from, to);
    };
    const FilterStages there = subjects_.document.choices().earlierFilters();
    if (leads(stack_.index() - 1, there, present_->earlier)) {
        stack_.undo();
    } else if (leads(stack_.index(), present_->earlier, there)) {
        stack_.redo();
    } else {
        onEdit();
    }
}

void EditHistory::onTree() {
    tree_ = subjects_.document.tree();
    if (!isTreeSettled() && !awaitedSelection_ && !awaitedPixels_ && isOfPresent() && present_->selection.nodes) {
        awaitedSelection_ = present_->selection; // removed with a tree that another one follows
    }
    settleSelection();
}

void EditHistory::onObjects() {
    found_ = subjects_.objectTable.marks().objects();
    if (!areObjectsSettled() && !awaitedRemoval_ && isOfPresent()) {
        awaitedRemoval_ = present_->removedObjects; // removed with objects that others follow
    }
    settleRemoval();
}

void EditHistory::settle() {
    settleSelection();
    settleRemoval();
}

void EditHistory::settleSelection() {
    if (applying_ || !isTreeSettled()) {
        return;
    }
    if (awaitedPixels_) {
        takeAwaitedPixels();
    } else if (awaitedSelection_) {
        const SelectedNodes awaited = *std::exchange(awaitedSelection_, std::nullopt);
        // A rewritten file has another tree.
        if (awaited.nodes->empty() || awaited.nodesOfTree == subjects_.document.tree()->nodeCount()) {
            const bool wasApplying = std::exchange(applying_, true);
            subjects_.selection.restore(awaited.nodes);
            applying_ = wasApplying;
        }
    }
    if (isOfPresent()) {
        present_->selection = selectionOf(*present_);
    }
}

void EditHistory::settleRemoval() {
    if (applying_ || !areObjectsSettled()) {
        return;
    }
    if (awaitedRemoval_) {
        const bool wasApplying = std::exchange(applying_, true);
        subjects_.objectTable.marks().restore(*std::exchange(awaitedRemoval_, std::nullopt));
        applying_ = wasApplying;
    }
    if (isOfPresent()) {
        present_->removedObjects = removalOf(*present_);
    }
}

void EditHistory::takeAwaitedPixels() {
    const CanonicalSelections awaited = *std::exchange(awaitedPixels_, std::nullopt);
    const auto tree = subjects_.document.tree();
    const auto nodesOf = [&tree](const std::vector<std::uint32_t>& pixels) {
        NodeSet nodes;
        for (const std::uint32_t pixel : pixels) {
            if (const auto node = nodeOfCanonical(*tree, pixel)) {
                nodes.push_back(*node);
            }
        }
        return std::make_shared<const NodeSet>(makeNodeSet(std::move(nodes)));
    };
    const bool wasApplying = std::exchange(applying_, true);
    subjects_.selection.restore(nodesOf(awaited.selected));
    applying_ = wasApplying;
    for (const SessionSelection& selection : awaited.named) {
        subjects_.selection.keep(QString::fromStdString(selection.name), nodesOf(selection.components));
    }
    present_->selection = selectionOf(*present_);
    emit selectionsTaken();
}

bool EditHistory::isTreeSettled() const {
    const DocumentViewModel& document = subjects_.document;
    return document.tree() && document.tree() == tree_.lock() && // treeChanged() has reached all listeners
           document.choices().isTreeAsWanted() && document.activity().state() != DocumentActivity::State::building &&
           subjects_.region.pixelCount() >= 0; // the mask is there
}

bool EditHistory::areObjectsSettled() const {
    const auto found = subjects_.objectTable.marks().objects();
    const ObjectsViewModel& objects = subjects_.objects;
    return found && found == found_.lock() && found == objects.objects() &&
           objects.state() == ObjectsViewModel::State::ready && subjects_.region.pixelCount() >= 0 &&
           (objects.source() == StepImage::original ||
            (isTreeSettled() && !subjects_.document.activity().isFiltering()));
}

void EditHistory::apply(const SharedState& state) {
    const bool wasApplying = std::exchange(applying_, true);
    subjects_.document.pixelSizes().setForFolder(state->folderSize);
    subjects_.document.pixelSizes().set(state->read.pixelSize);
    {
        const DocumentChoices::Hold together(subjects_.document.choices());
        subjects_.document.choices().setTree(state->tree);
        subjects_.document.choices().setEarlierFilters(state->earlier);
        subjects_.filter.setState(state->filter);
        subjects_.filter.channels().setOthers(state->channels);
        subjects_.region.setState({state->region.shapes, state->selectedShape, state->region.inverted});
    }
    subjects_.objects.setSettings(state->objects);
    if (subjects_.labels != nullptr) {
        subjects_.labels->setState(state->labels);
    }
    if (subjects_.contours != nullptr) {
        subjects_.contours->setRunList(state->runs);
        subjects_.contours->settings().setSpec(state->contours.spec);
        subjects_.contours->settings().setEngine(state->contours.engine);
    }
    filtered_ = subjects_.document.choices().filterSpec();
    if (state->selection.nodes) {
        awaitedSelection_ = state->selection;
        awaitedPixels_.reset();
    }
    awaitedRemoval_ = state->removedObjects;
    applying_ = wasApplying;
    present_ = state;
    settle();
    // A selection that is unknown stays as it is.
    *present_ = this->state();
}

void EditHistory::forgetOldSelections() {
    std::set<const NodeSet*> counted;
    std::size_t nodes = 0;
    for (auto it = states_.rbegin(); it != states_.rend(); ++it) {
        const SharedState state = it->lock();
        if (!state || !state->selection.nodes) {
            continue;
        }
        if (counted.insert(state->selection.nodes.get()).second) {
            nodes += state->selection.nodes->size();
        }
        if (nodes > kMostNodes && state != present_) {
            state->selection.nodes.reset();
        }
    }
    std::erase_if(states_, [](const std::weak_ptr<EditState>& state) { return state.expired(); });
}

} // namespace pollard::vm
