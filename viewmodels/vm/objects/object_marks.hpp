#pragma once

#include "vm/objects/object_listing.hpp"

#include <QObject>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pollard::vm {

/// Labels of objects that a person took out: 1 for object number i + 1 at place i. Null: none.
using RemovedObjects = std::shared_ptr<const std::vector<std::uint8_t>>;

/// The labels of these.
[[nodiscard]] std::vector<std::uint32_t> labelsOf(const RemovedObjects& removed);

/// What a person did with the objects that are shown: selected some, took some out. Other objects (another threshold,
/// another picture) start without marks.
class ObjectMarks : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Forgets all marks if these are other objects.
    void setObjects(const std::shared_ptr<const FoundObjects>& found);
    [[nodiscard]] const std::shared_ptr<const FoundObjects>& objects() const noexcept { return found_; }

    [[nodiscard]] bool isSelected(std::uint32_t label) const noexcept {
        return label != 0 && label <= selectedFlags_.size() && selectedFlags_[label - 1] != 0;
    }
    /// In the order they were selected.
    [[nodiscard]] const std::vector<std::uint32_t>& selected() const noexcept { return selected_; }
    [[nodiscard]] int selectedCount() const noexcept { return static_cast<int>(selected_.size()); }
    /// Exactly these; labels that there are not are left out.
    void select(std::span<const std::uint32_t> labels);
    /// Adds it, or takes it out of the selection.
    void toggle(std::uint32_t label);

    /// 1 for a selected object number i + 1 at place i.
    [[nodiscard]] std::span<const std::uint8_t> selectedFlags() const noexcept { return selectedFlags_; }

    [[nodiscard]] RemovedObjects removed() const noexcept { return removed_; }
    [[nodiscard]] int removedCount() const noexcept { return removedCount_; }
    /// Takes objects out; what was out already does not count.
    void remove(std::span<const std::uint32_t> labels);
    /// Takes the rest out: all of @p listed that are not in @p labels.
    void keepOnly(std::span<const std::uint32_t> labels, std::span<const std::uint32_t> listed);
    /// Exactly these are out. Nothing if they are not of these objects.
    void restore(const RemovedObjects& removed);

signals:
    void selectionChanged();
    void removedChanged();

private:
    using Labels = std::vector<std::uint32_t>;
    std::shared_ptr<const FoundObjects> found_;
    std::vector<std::uint8_t> selectedFlags_;
    Labels selected_;
    RemovedObjects removed_;
    int removedCount_ = 0;
};

} // namespace pollard::vm
