#pragma once

#include "vm/objects/object_listing.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pollard::vm {

/// Removed objects: element i is 1 if object number i + 1 is removed. Null: none.
using RemovedObjects = std::shared_ptr<const std::vector<std::uint8_t>>;

/// The labels of removed objects.
[[nodiscard]] std::vector<std::uint32_t> labelsOf(const RemovedObjects& removed);
/// The inverse for @p count objects. Null for no label, and for more objects than @p pixels of an image.
[[nodiscard]] RemovedObjects removedOf(const std::vector<std::uint32_t>& labels, std::uint64_t count,
                                       std::uint64_t pixels);

/// Some of the objects that were found.
struct ChosenObjects {
    std::shared_ptr<const FoundObjects> found; ///< null: none
    std::vector<std::uint32_t> labels;
};

/// The user's marks on the displayed objects: selected or removed. Other objects (another threshold, another image)
/// start without marks.
class ObjectMarks : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Drops all marks if these are other objects.
    void setObjects(const std::shared_ptr<const FoundObjects>& found);
    [[nodiscard]] const std::shared_ptr<const FoundObjects>& objects() const noexcept { return found_; }

    [[nodiscard]] bool isSelected(std::uint32_t label) const noexcept {
        return label != 0 && label <= selectedFlags_.size() && selectedFlags_[label - 1] != 0;
    }
    /// In the order of selection.
    [[nodiscard]] const std::vector<std::uint32_t>& selected() const noexcept { return selected_; }
    [[nodiscard]] int selectedCount() const noexcept { return static_cast<int>(selected_.size()); }
    /// The selected objects; while no objects are displayed, those that were selected last in this image.
    [[nodiscard]] ChosenObjects chosen() const {
        return selected_.empty() && !found_ ? last_ : ChosenObjects{found_, selected_};
    }
    /// Another image is displayed.
    void forgetLast();
    /// Selects exactly these; unknown labels are ignored.
    void select(std::span<const std::uint32_t> labels);
    /// Adds it to the selection, or removes it.
    void toggle(std::uint32_t label);

    /// Element i is 1 if object number i + 1 is selected.
    [[nodiscard]] std::span<const std::uint8_t> selectedFlags() const noexcept { return selectedFlags_; }

    [[nodiscard]] RemovedObjects removed() const noexcept { return removed_; }
    [[nodiscard]] int removedCount() const noexcept { return removedCount_; }
    /// Removes objects; removed ones are ignored.
    void remove(std::span<const std::uint32_t> labels);
    /// Removes all of @p listed except @p labels.
    void keepOnly(std::span<const std::uint32_t> labels, std::span<const std::uint32_t> listed);
    /// Removes exactly these. Does nothing if they do not match the objects.
    void restore(const RemovedObjects& removed);

signals:
    void selectionChanged();
    void removedChanged();

private:
    using Labels = std::vector<std::uint32_t>;
    std::shared_ptr<const FoundObjects> found_;
    std::vector<std::uint8_t> selectedFlags_;
    Labels selected_;
    ChosenObjects last_; ///< while no objects are displayed
    RemovedObjects removed_;
    int removedCount_ = 0;
};

} // namespace pollard::vm
