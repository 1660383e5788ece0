#include "vm/history/edit_history.hpp"

#include "vm/contour/contour_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/node_picking.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/tree/node_selection.hpp"

#include <QUndoCommand>

#include <algorithm>
#include <set>
#include <utility>

namespace pollard::vm {

/// From one state to another. The states are shared with the entries before and after, so that what follows from an
/// edit later is known to both.
class EditHistory::Command : public QUndoCommand {
public:
    Command(EditHistory& history, SharedState before, SharedState after, const QString& text)
        : history_(history), before_(std::move(before)), after_(std::move(after)),
          gesture_(before_->read.samePicture(after_->read) ? history.gesture_
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
    [[nodiscard]] const SharedState& before() const noexcept { return before_; }
    [[nodiscard]] int id() const override { return gesture_; }
    /// Whether it changes earlier filters so.
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
    static constexpr int kPages = 0; ///< pages that are turned one after the other; gestures have numbers from 1 on

    EditHistory& history_;
    SharedState before_;
    SharedState after_;
    int gesture_;
    bool named_;
    bool made_ = false; ///< the first redo() is that of an edit that is there already
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
    : QObject(parent), subjects_(subjects), present_(std::make_shared<EditState>()),
      levelDomain_(subjects.objects.domain()) {
    stack_.setUndoLimit(kMostEntries);
    *present_ = state();
    const auto edit = [this] { onEdit(); };
    connect(&subjects_.filter, &FilterViewModel::edited, this, edit);
    connect(&subjects_.region, &RegionViewModel::changed, this, edit);
    connect(&subjects_.document, &DocumentViewModel::treeSpecChanged, this, edit);
    connect(&subjects_.document, &DocumentViewModel::pixelSizeChanged, this, edit);
    connect(&subjects_.objects, &ObjectsViewModel::settingsChanged, this, &EditHistory::onObjectChoice);
    connect(&subjects_.selection, &NodeSelection::changed, this, &EditHistory::onSelection);
    connect(&subjects_.objectTable.marks(), &ObjectMarks::removedChanged, this, &EditHistory::onRemovedObjects);
    connect(&subjects_.document, &DocumentViewModel::documentChanged, this, &EditHistory::onDocument);
    connect(&subjects_.document, &DocumentViewModel::earlierFiltersChanged, this, &EditHistory::onEarlierFilters);
    connect(&subjects_.document, &DocumentViewModel::treeChanged, this, &EditHistory::onTree);
    // If no other tree is needed after all, which is sure when everything has been told.
    connect(&subjects_.document, &DocumentViewModel::stateChanged, this, &EditHistory::onState, Qt::QueuedConnection);
    connect(&subjects_.region, &RegionViewModel::areaChanged, this, &EditHistory::settleSelection,
            Qt::QueuedConnection);
    connect(&subjects_.objectTable, &ObjectTableModel::listingChanged, this, &EditHistory::onObjects);
    if (subjects_.contours != nullptr) {
        for (const auto signal : {&ContourViewModel::specChanged, &ContourViewModel::engineSet}) {
            connect(subjects_.contours, signal, this, &EditHistory::onContours);
        }
    }
}

EditState EditHistory::state() const {
    const auto tree = subjects_.document.tree();
    return {subjects_.document.request(),
            subjects_.document.folderPixelSize(),
            subjects_.document.earlierFilters(),
            subjects_.filter.state(),
            {subjects_.document.treeKind(), subjects_.document.connectivity()},
            subjects_.region.state(),
            awaitedSelection_ ? *awaitedSelection_
            : awaitedPixels_  ? SelectedNodes{}
                              : SelectedNodes{subjects_.selection.nodes(), tree ? tree->nodeCount() : 0},
            ObjectChoice::of(subjects_.objects),
            awaitedRemoval_ ? *awaitedRemoval_ : subjects_.objectTable.marks().removed(),
            subjects_.contours != nullptr ? ContourChoice{subjects_.contours->spec(), subjects_.contours->engine()}
                                          : ContourChoice{}};
}

void EditHistory::setState(const EditState& state, const QString& text) {
    const Group group(*this, text);
    const SharedState before = present_;
    apply(std::make_shared<EditState>(state));
    present_ = before;
}

void EditHistory::begin(const EditState& state, CanonicalSelections selections) {
    EditState first = state;
    first.read = subjects_.document.request();
    first.folderSize = subjects_.document.folderPixelSize();
    first.selection = {};
    awaited_.reset();
    reading_.reset();
    awaitedSelection_.reset();
    awaitedRemoval_.reset();
    awaitedPixels_ = std::move(selections);
    apply(std::make_shared<EditState>(std::move(first)));
    if (state.removedObjects) {
        awaitedRemoval_ = state.removedObjects; // whenever somebody looks at objects
    }
    present_ = std::make_shared<EditState>(this->state());
    states_.clear();
    stack_.clear();
    settleSelection();
}

void EditHistory::beginGesture() { gesture_ = ++lastGesture_; }

void EditHistory::endGesture() { gesture_ = -1; }

void EditHistory::onEdit(const QString& text) {
    if (applying_ || groups_ > 0 || subjects_.region.isEditing() || awaited_ || !isOfPresent()) {
        return;
    }
    auto next = std::make_shared<EditState>(state());
    if (isSameEdit(*present_, *next)) {
        *present_ = *next;
        return;
    }
    const SharedState before = std::exchange(present_, std::move(next));
    states_.emplace_back(present_);
    stack_.push(new Command(*this, before, present_, text));
    forgetOldSelections();
}

bool EditHistory::isOfPresent() const { return subjects_.document.request().samePicture(present_->read); }

void EditHistory::onObjectChoice() {
    const LevelRange domain = subjects_.objects.domain();
    if (std::exchange(levelDomain_, domain) != domain && !applying_) {
        const ObjectChoice moved = ObjectChoice::of(subjects_.objects);
        ObjectChoice expected = present_->objects;
        expected.levels = moved.levels;
        if (expected == moved) { // the picture's levels moved them, not a person
            if (isOfPresent()) {
                present_->objects = moved;
            }
            return;
        }
    }
    onEdit();
}

void EditHistory::onSelection() {
    if (applying_ || tree_.lock() != subjects_.document.tree()) {
        return; // it ended with its tree
    }
    awaitedSelection_.reset();
    awaitedPixels_.reset();
    onEdit();
}

void EditHistory::onContours() {
    if (subjects_.contours->isAdopting()) { // those of the run at hand, which is another one
        if (isOfPresent()) {
            present_->contours = state().contours;
        }
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
    if (awaited_ && reading_ == read && awaited_->read.samePicture(read)) {
        takeAwaited();
    } else if (awaited_ && reading_ == read && subjects_.document.presentRequest() == read) {
        reading_.reset(); // undo and redo went on meanwhile
        QMetaObject::invokeMethod(this, &EditHistory::readAwaited, Qt::QueuedConnection);
    } else {
        stayHere(); // somebody opened something else meanwhile
        takeReading();
    }
}

void EditHistory::takeAwaited() {
    reading_.reset();
    const SharedState awaited = std::exchange(awaited_, nullptr);
    apply(awaited);
    if (awaited->removedObjects) {
        awaitedRemoval_ = awaited->removedObjects; // whenever somebody looks at objects
    }
}

/// One after the other: what is read twice would be another picture to everybody.
void EditHistory::readAwaited() {
    if (!awaited_ || reading_) {
        return;
    }
    if (awaited_->read.samePicture(subjects_.document.request())) {
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
    if (isSameFile && read != before->read) {
        states_.emplace_back(present_);
        stack_.push(new Command(*this, before, present_, {}));
        forgetOldSelections();
    } else {
        states_.clear();
        stack_.clear();
    }
}

/// Brings everything to a state that was there before.
void EditHistory::goTo(const SharedState& state) {
    if (staying_) {
        return;
    }
    if (!awaited_ && state->read.samePicture(subjects_.document.request())) {
        apply(state);
        return;
    }
    awaited_ = state;
    readAwaited();
}

int EditHistory::indexOfPresent() const {
    int index = 0;
    while (index < stack_.count() &&
           static_cast<const Command*>(stack_.command(index))->before() != present_) { // that of the next is shared
        ++index;
    }
    return index;
}

void EditHistory::stayHere() {
    if (!awaited_) {
        return;
    }
    awaited_.reset();
    reading_.reset();
    staying_ = true;
    stack_.setIndex(indexOfPresent());
    staying_ = false;
}

void EditHistory::onState() {
    if (reading_ && subjects_.document.state() != DocumentViewModel::State::loading) {
        stayHere(); // the file could not be read so, or that was cancelled
        if (isOfPresent()) {
            onEdit(); // what was done meanwhile
        } else {
            takeReading(); // that of a step in between
        }
    }
    settleSelection();
}

/// Who sets them does so in a group. Else they could not be done: then what was to be goes, and all that came with it.
void EditHistory::onEarlierFilters() {
    if (applying_ || groups_ > 0 || awaited_ || present_->earlier == subjects_.document.earlierFilters()) {
        return;
    }
    const auto leads = [this](int index, const FilterStages& from, const FilterStages& to) {
        const auto* command = static_cast<const Command*>(stack_.command(index));
        return command != nullptr && command->leads(from, to);
    };
    const FilterStages there = subjects_.document.earlierFilters();
    if (leads(stack_.index() - 1, there, present_->earlier)) {
        stack_.undo();
    } else if (leads(stack_.index(), present_->earlier, there)) {
        stack_.redo();
    } else {
        onEdit();
    }
}

void EditHistory::onTree() {
    const auto tree = subjects_.document.tree();
    tree_ = tree;
    settleSelection();
    if (isOfPresent()) {
        present_->selection = state().selection;
    }
}

void EditHistory::settleSelection() {
    if (applying_ || (!awaitedSelection_ && !awaitedPixels_) || !isTreeAsWanted()) {
        return;
    }
    if (awaitedPixels_) {
        takeAwaitedPixels();
        return;
    }
    const SelectedNodes awaited = *std::exchange(awaitedSelection_, std::nullopt);
    if (fits(awaited)) { // else there is no such tree any more
        applySelection(awaited);
    }
    present_->selection = state().selection;
}

void EditHistory::onObjects() {
    const ObjectMarks& marks = subjects_.objectTable.marks();
    const auto found = marks.objects();
    found_ = found;
    // Those of a result that another one follows are not the ones.
    const bool isOfLastResult =
        subjects_.objects.source() == ObjectsViewModel::Source::original ||
        (subjects_.document.state() == DocumentViewModel::State::ready && !subjects_.document.isFiltering());
    if (awaitedRemoval_ && found && isOfLastResult && found == subjects_.objects.objects() &&
        subjects_.objects.state() == ObjectsViewModel::State::ready) {
        applyRemoved(*std::exchange(awaitedRemoval_, std::nullopt), false);
    }
    if (isOfPresent()) {
        present_->removedObjects = state().removedObjects;
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
    applySelection({nodesOf(awaited.selected), tree->nodeCount()});
    for (const auto& [name, pixels] : awaited.named) {
        subjects_.selection.keep(name, nodesOf(pixels));
    }
    present_->selection = state().selection;
    emit selectionsTaken();
}

bool EditHistory::isTreeAsWanted() const {
    const auto tree = subjects_.document.tree();
    return tree && tree == tree_.lock() && // everybody has been told of it
           tree->kind == subjects_.document.treeKind() && tree->connectivity == subjects_.document.connectivity() &&
           subjects_.region.pixelCount() >= 0 &&                          // its mask is known
           subjects_.document.state() == DocumentViewModel::State::ready; // no other tree is being built
}

bool EditHistory::fits(const SelectedNodes& selection) const {
    return subjects_.document.tree()->nodeCount() == selection.nodesOfTree;
}

void EditHistory::apply(const SharedState& state) {
    const bool wasApplying = std::exchange(applying_, true);
    const EditState before = this->state();
    const bool regionFollows =
        before.region.shapes != state->region.shapes || before.region.inverted != state->region.inverted;
    const FilterSpec asked = subjects_.document.filterSpec();
    subjects_.document.setFolderPixelSize(state->folderSize);
    subjects_.document.setPixelSize(state->read.pixelSize);
    {
        const DocumentViewModel::Hold together(subjects_.document);
        TreeSpec tree = subjects_.document.treeSpec();
        tree.kind = state->tree.kind;
        tree.connectivity = state->tree.connectivity;
        subjects_.document.setTreeSpec(tree);
        subjects_.document.setEarlierFilters(state->earlier);
        subjects_.filter.setState(state->filter);
        subjects_.region.setState(state->region);
    }
    state->objects.applyTo(subjects_.objects);
    if (subjects_.contours != nullptr) {
        subjects_.contours->setSpec(state->contours.spec);
        subjects_.contours->setEngine(state->contours.engine);
    }
    const bool treeFollows = regionFollows || before.tree != state->tree || before.earlier != state->earlier;
    const bool resultFollows = treeFollows || asked != subjects_.document.filterSpec();
    const bool objectsFollow = subjects_.objects.isActive() &&
                               (regionFollows || !before.objects.findsAs(state->objects) ||
                                (state->objects.source == ObjectsViewModel::Source::filtered && resultFollows));
    applySelection(state->selection);
    applyRemoved(state->removedObjects, objectsFollow);
    applying_ = wasApplying;
    // What is no longer known stays as it is.
    present_ = state;
    *present_ = this->state();
}

void EditHistory::applySelection(const SelectedNodes& selection) {
    if (!selection.nodes) {
        return;
    }
    const bool wasApplying = std::exchange(applying_, true);
    awaitedSelection_.reset();
    awaitedPixels_.reset();
    if (isTreeAsWanted() && (fits(selection) || selection.nodes->empty())) {
        subjects_.selection.restore(selection.nodes);
    } else {
        awaitedSelection_ = selection;
    }
    applying_ = wasApplying;
}

void EditHistory::applyRemoved(const RemovedObjects& removed, bool objectsFollow) {
    const bool wasApplying = std::exchange(applying_, true);
    ObjectMarks& marks = subjects_.objectTable.marks();
    if (objectsFollow || awaitedRemoval_) {
        awaitedRemoval_ = removed;
    } else {
        marks.restore(removed);
    }
    applying_ = wasApplying;
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
