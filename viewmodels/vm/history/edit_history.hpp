#pragma once

#include "vm/history/edit_state.hpp"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

class ContourViewModel;
class DocumentViewModel;
class NodeSelection;
class ObjectTableModel;

/// Selected components by their canonical pixels, which mean the same in every tree of a picture that has them.
struct CanonicalSelections {
    std::vector<std::uint32_t> selected;
    std::vector<std::pair<QString, std::vector<std::uint32_t>>> named;

    bool operator==(const CanonicalSelections&) const = default;
};

/// One order of undo and redo for all that changes a result or what is selected: how the file is read, earlier
/// filters, criteria, picks, rule, output, tree, region, selected components, objects and which of them are deleted,
/// parameters of contours.
/// Another file starts without a history.
///
/// Going back to another way of reading takes until the file was read so; everything stays as it is until then, and for
/// good, with the history as it was, if that fails. Pages that are turned one after the other are one entry.
///
/// Every edit is an entry of its own, except that those of one gesture (beginGesture()) or one Group are one. What
/// follows from an edit by itself, such as the selection that ends with the tree it belonged to, belongs to the entry
/// and comes back with it; that may take until the tree is there.
class EditHistory : public QObject {
    Q_OBJECT

public:
    static constexpr int kMostEntries = 200;
    static constexpr std::size_t kMostNodes = std::size_t{1} << 25U; ///< of selections in all entries

    /// What it follows; all must outlive it.
    struct Subjects {
        DocumentViewModel& document;
        FilterViewModel& filter;
        NodeSelection& selection;
        RegionViewModel& region;
        ObjectsViewModel& objects;
        ObjectTableModel& objectTable;
        ContourViewModel* contours = nullptr; ///< null: their parameters are not followed
    };
    explicit EditHistory(const Subjects& subjects, QObject* parent = nullptr);

    /// Texts of the entries follow "Undo".
    [[nodiscard]] QUndoStack& stack() noexcept { return stack_; }
    /// As it is now, or is about to be where that has to wait for a tree or for objects.
    [[nodiscard]] EditState state() const;
    /// Brings everything to a state, as an entry.
    void setState(const EditState& state, const QString& text);
    /// Begins anew with a state: what was before does not come back. In place of the state's selection these are
    /// selected and named as soon as the tree is there; components that it does not have are left out.
    void begin(const EditState& state, CanonicalSelections selections);
    /// The file is being read for undo or redo.
    [[nodiscard]] bool isReading() const noexcept { return awaited_ != nullptr; }
    /// What begin() was given and still waits for its tree; nothing if none does.
    [[nodiscard]] const std::optional<CanonicalSelections>& awaitedSelections() const noexcept {
        return awaitedPixels_;
    }

    /// Edits during its life are one entry.
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
    /// From now on until endGesture() or the next begin, edits are one entry: a drag, a key that is held.
    void beginGesture();
    void endGesture();
    /// The number of the present gesture, for who ends it later; -1 if there is none.
    [[nodiscard]] int gesture() const noexcept { return gesture_; }

signals:
    /// The selections of begin() are there.
    void selectionsTaken();

private:
    class Command;
    using SharedState = std::shared_ptr<EditState>;

    void onEdit(const QString& text = {});
    /// Whether the picture that is there is that of present_; else onDocument() follows, or a file is being read.
    [[nodiscard]] bool isOfPresent() const;
    void onSelection();
    void onRemovedObjects();
    void onContours();
    void onDocument();
    void onEarlierFilters();
    void onTree();
    void onObjects();
    void goTo(const SharedState& state);
    void readAwaited();
    void takeAwaited();
    /// Another way of reading is an entry, another file an end.
    void takeReading();
    void apply(const SharedState& state);
    /// Takes the history back to what is there, after the file could not be read as it was.
    void stayHere();
    [[nodiscard]] int indexOfPresent() const;
    void onState();
    /// The selection that belongs to the tree that @p state requests: none as long as that tree is to be built.
    [[nodiscard]] SelectedNodes selectionOf(const EditState& state) const;
    /// The deleted ones of the objects that @p state requests: none as long as these are to be found.
    [[nodiscard]] RemovedObjects removalOf(const EditState& state) const;
    /// Whether @p state requests the same objects as present_.
    [[nodiscard]] bool findsSameObjects(const EditState& state) const;
    /// Drops an awaited selection or deletion if the tree or the objects that it belongs to do not follow from @p next.
    void dropOvertaken(const EditState& next);
    /// Restores the awaited selection and deletion whose tree and objects are there, and takes over the ends of a
    /// selection and a deletion that an edit caused.
    void settle();
    void settleSelection();
    void settleRemoval();
    void takeAwaitedPixels();
    /// Whether the tree is the requested one.
    [[nodiscard]] bool isTreeSettled() const;
    /// Whether the objects are those of the requested picture and choice.
    [[nodiscard]] bool areObjectsSettled() const;
    void forgetOldSelections();

    Subjects subjects_;
    QUndoStack stack_;
    SharedState present_; ///< shared by the entries before and after it
    std::deque<std::weak_ptr<EditState>> states_;
    std::optional<SelectedNodes> awaitedSelection_;    ///< until the tree is there
    std::optional<CanonicalSelections> awaitedPixels_; ///< the same
    std::optional<RemovedObjects> awaitedRemoval_;     ///< until the objects are there
    std::weak_ptr<const ComponentTree> tree_;
    std::weak_ptr<const FoundObjects> found_;
    bool awaitsNext_ = false; ///< what is awaited belongs to the state that the next entry leads to
    FilterSpec filtered_;     ///< requested from the document at the last edit
    int groups_ = 0;
    int lastGesture_ = 0;
    int gesture_ = -1;
    bool applying_ = false;
    SharedState awaited_; ///< of an undo or redo, as soon as the file was read so; null: none
    bool staying_ = false;
    std::optional<OpenRequest> reading_; ///< that is on its way for awaited_
};

} // namespace pollard::vm
