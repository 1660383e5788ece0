#pragma once

#include "vm/filter/filter_view_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_state.hpp"

#include "filter/filter_spec.hpp"
#include "tree/component_tree.hpp"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

class ContourViewModel;
class DocumentViewModel;
class LabelEditViewModel;
class NodeSelection;
class ObjectTableModel;

/// Selected components by canonical pixels, which are valid in every tree of the same image.
struct CanonicalSelections {
    std::vector<std::uint32_t> selected;
    std::vector<SessionSelection> named;

    bool operator==(const CanonicalSelections&) const = default;
};

/// One undo history for all changes of a result or selection: reading, earlier filters, criteria, picks, rule, output,
/// tree, region, selected components, objects and their removal, contours and their parameters. Another file starts
/// without a history.
///
/// Returning to another reading takes until the file is read again; nothing changes until then, and after a failure
/// everything stays with the history as it was. Consecutive page changes are one entry.
///
/// Every edit is an entry of its own, but all edits of one gesture (beginGesture()) or one Group form one entry.
/// Automatic consequences of an edit, such as a selection dropped with its tree, belong to the entry and are restored
/// with it, possibly after the tree is built.
class EditHistory : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostEntries = 1100; ///< each takes a few KiB beside what has a bound in bytes
    static constexpr std::size_t kMostNodes = std::size_t{1} << 25U; ///< of selections in all entries

    /// The models of the history; all must outlive it.
    struct Subjects {
        DocumentViewModel& document;
        FilterViewModel& filter;
        NodeSelection& selection;
        RegionViewModel& region;
        ObjectsViewModel& objects;
        ObjectTableModel& objectTable;
        ContourViewModel* contours = nullptr; ///< null: they are excluded
        LabelEditViewModel* labels = nullptr; ///< null: they are excluded
    };
    explicit EditHistory(const Subjects& subjects, QObject* parent = nullptr);

    /// The texts of entries follow "Undo".
    [[nodiscard]] QUndoStack& stack() noexcept { return stack_; }
    /// The present state, or the requested one while a tree or objects are pending.
    [[nodiscard]] EditState state() const;
    /// Changes to a state, as an entry.
    void setState(const EditState& state, const QString& text);
    /// Starts a new history from a state. Instead of the state's selection, @p selections are selected and named once
    /// the tree is built; unknown components are left out.
    void begin(const EditState& state, CanonicalSelections selections);
    /// The file is being read for undo or redo.
    [[nodiscard]] bool isReading() const noexcept { return awaited_ != nullptr; }
    /// Selections of begin() that wait for the tree; empty if none do.
    [[nodiscard]] const std::optional<CanonicalSelections>& awaitedSelections() const noexcept {
        return awaitedPixels_;
    }

    /// Edits during its lifetime are one entry.
    class Group {
    public:
        /// @param text of the entry
        Group(EditHistory& history, QString text);
        ~Group();
        Group(const Group&) = delete;
        Group& operator=(const Group&) = delete;
        Group(Group&&) = delete;
        Group& operator=(Group&&) = delete;

    private:
        EditHistory& history_;
        QString text_;
    };

public slots:
    void undo() { stack_.undo(); }
    void redo() { stack_.redo(); }
    /// Edits until endGesture() or the next beginGesture() are one entry: a drag, a key that is held.
    void beginGesture();
    void endGesture();
    /// The number of the present gesture, for ending it later; -1 if there is none.
    [[nodiscard]] int gesture() const noexcept { return gesture_; }

signals:
    /// The selections of begin() are applied.
    void selectionsTaken();

private:
    class Command;
    using SharedState = std::shared_ptr<EditState>;

    void onEdit(const QString& text = {});
    /// Whether the open image is the image of present_; else onDocument() follows, or a file is being read.
    [[nodiscard]] bool isOfPresent() const;
    void onSelection();
    void onRemovedObjects();
    void onContours();
    /// Another list of runs is an entry. A run that a changed parameter has made belongs to the entry of the parameter,
    /// and all runs of one following are one entry.
    void onRuns();
    /// Runs of contours; of a following that goes on, none.
    [[nodiscard]] ContourRunList runsOfContours() const;
    void onDocument();
    void onEarlierFilters();
    void onTree();
    void onObjects();
    void goTo(const SharedState& state);
    void readAwaited();
    void takeAwaited();
    /// Another reading becomes an entry, another file ends the history.
    void takeReading();
    void apply(const SharedState& state);
    /// Returns the history to the open image after a failed read.
    void returnToOpenImage();
    [[nodiscard]] int indexOfPresent() const;
    void onState();
    /// The selection for the tree requested by @p state: empty while that tree is to be built.
    [[nodiscard]] SelectedNodes selectionOf(const EditState& state) const;
    /// The removed ones of the objects requested by @p state: none while these are to be found.
    [[nodiscard]] RemovedObjects removalOf(const EditState& state) const;
    /// Whether @p state requests the same objects as present_.
    [[nodiscard]] bool findsSameObjects(const EditState& state) const;
    /// Drops an awaited selection or removal if its tree or objects do not follow from @p next.
    void dropOvertaken(const EditState& next);
    /// Restores the awaited selection and removal once their tree and objects exist, and records a selection and a
    /// removal dropped by an edit.
    void settle();
    void settleSelection();
    void settleRemoval();
    void takeAwaitedPixels();
    /// Whether the tree is the requested one.
    [[nodiscard]] bool isTreeSettled() const;
    /// Whether the objects belong to the requested image and choice.
    [[nodiscard]] bool areObjectsSettled() const;
    void forgetOldSelections();

    Subjects subjects_;
    QUndoStack stack_;
    SharedState present_; ///< shared by the entries before and after it
    std::deque<std::weak_ptr<EditState>> states_;
    std::optional<SelectedNodes> awaitedSelection_;    ///< until the tree is built
    std::optional<CanonicalSelections> awaitedPixels_; ///< the same
    std::optional<RemovedObjects> awaitedRemoval_;     ///< until the objects are found
    std::weak_ptr<const ComponentTree> tree_;
    std::weak_ptr<const FoundObjects> found_;
    bool awaitsNext_ = false; ///< the awaited data belong to the state after the next entry
    FilterSpec filtered_;     ///< requested from the document at the last edit
    int groups_ = 0;
    int lastGesture_ = 0;
    int gesture_ = -1;
    bool applying_ = false;
    SharedState awaited_; ///< of an undo or redo, applied once the file is read; null: none
    bool returning_ = false;
    std::optional<OpenRequest> reading_; ///< the pending request for awaited_
};

} // namespace pollard::vm
