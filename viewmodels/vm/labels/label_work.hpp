#pragma once

#include "vm/objects/object_listing.hpp"

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "labels/edit_labels.hpp"
#include "labels/label_edit.hpp"
#include "labels/label_runs.hpp"
#include "labels/pixel_spans.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace pollard::vm {

/// Objects of an image that a person edits: the present ones, and the edits that led to them. Used by one job at a
/// time.
class LabelWork {
public:
    /// An edit of labels. @param objects before the edit
    using Edit =
        std::function<LabelEdit(const EditedLabels& labels, const Components& objects, const JobControl& control)>;
    /// The image in which objects are measured.
    struct Measured {
        std::shared_ptr<const Image> grey;
        std::optional<ValueMapping> mapping; ///< of its levels
    };

    /// @param found objects with labels and records; must not be null
    LabelWork(std::shared_ptr<const FoundObjects> found, Measured measured);
    /// Objects that were edited before; they are measured by the first go(). @param labels of the image
    LabelWork(std::shared_ptr<const LabelRuns> labels, Connectivity connectivity, int page, Measured measured);

    /// The number of edits that are applied.
    [[nodiscard]] std::size_t position() const noexcept { return history_.position(); }
    /// Null before the first go() of objects that were edited before.
    [[nodiscard]] std::shared_ptr<const FoundObjects> found() const noexcept { return found_; }

    /// Makes a label image for the next edit, whose time then depends on the changed pixels alone. O(pixels) if the
    /// objects before the present ones are still read, else O(changed pixels).
    /// @throws Error(outOfMemory), Cancelled
    void prepare(const JobControl& control);
    /// Deletes removed objects, then applies an edit; both are one step. Calls prepare() first.
    /// @param edit empty: a step that changes no pixel
    /// @param removed null: none
    /// @returns whether there is a new step
    /// @throws Error(outOfMemory), errors of the edit, Cancelled; then nothing has changed
    bool apply(const Edit& edit, const RemovedObjects& removed, const JobControl& control);
    /// Goes to the objects after some of the edits, at least the oldest that is known.
    /// @throws Error(outOfMemory), Cancelled; then nothing has changed
    void go(std::size_t position, const JobControl& control);
    /// The records of the last apply() or go() for a journal, see journalRecord(); empty if no pixel changed. Taken
    /// once.
    [[nodiscard]] std::string takeRecords() { return std::exchange(records_, {}); }

private:
    /// A copy of the present objects. @throws Error(outOfMemory) before the memory is taken
    [[nodiscard]] Components copy(const JobControl& control) const;
    /// Takes what prepare() has made, for the next objects.
    [[nodiscard]] std::shared_ptr<FoundObjects> takePrepared(const JobControl& control);
    /// Makes measured objects the present ones. @param changed since the present ones
    void publish(std::shared_ptr<FoundObjects> next, std::map<std::uint32_t, LabelBox> changed);

    void measureStored(const JobControl& control);
    /// Adds an edit to records_. @param objects with the numbers of all its labels
    void addRecord(const LabelEdit& edit, bool after, const Components& objects);

    std::shared_ptr<const FoundObjects> found_;
    std::shared_ptr<FoundObjects> own_;        ///< found_, if it was made here
    std::shared_ptr<FoundObjects> before_;     ///< the ones before found_, if they were made here; others may read them
    std::map<std::uint32_t, LabelBox> behind_; ///< what differs between before_ and found_
    std::optional<Components> prepared_;       ///< a copy of the present objects
    std::shared_ptr<const LabelRuns> stored_;  ///< null: measured
    Connectivity connectivity_{};
    int page_ = 0;
    Measured measured_;
    LabelHistory history_;
    std::string records_;
};

/// The edits of objects at a moment, for undo.
struct LabelEdits {
    /// What the last edit was.
    enum class Kind : std::uint8_t { paint, erase, fill, polygon, merge, cut, remove, take, renumber, classify };

    std::weak_ptr<LabelWork> work; ///< empty: the objects are not edited
    std::size_t position = 0;      ///< of the work
    Kind kind = Kind::paint;

    /// Whether both are the same objects.
    bool operator==(const LabelEdits& other) const noexcept {
        return position == other.position && !work.owner_before(other.work) && !other.work.owner_before(work);
    }
};

} // namespace pollard::vm
