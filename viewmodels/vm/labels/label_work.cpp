#include "vm/labels/label_work.hpp"

#include "base/error.hpp"
#include "base/system.hpp"
#include "components/changed_objects.hpp"
#include "components/labelled_components.hpp"
#include "components/objects/measured_objects.hpp"
#include "labels/label_journal.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

constexpr std::size_t kShareOfLabels = 20;                 ///< of their bytes, for the edits
constexpr std::size_t kLeastBytes = std::size_t{1} << 20U; ///< of the edits, in small images

void addChanges(std::map<std::uint32_t, LabelBox>& all, const LabelEdit& edit) {
    for (const auto& [label, box] : edit.changed()) {
        all.try_emplace(label, box).first->second.add(box);
    }
}

} // namespace

LabelWork::LabelWork(std::shared_ptr<const FoundObjects> found, Measured measured)
    : found_(std::move(found)), measured_(std::move(measured)),
      history_(std::max(kLeastBytes, found_->components.labels.bytes() / kShareOfLabels)) {}

LabelWork::LabelWork(std::shared_ptr<const LabelRuns> labels, Connectivity connectivity, int page, Measured measured)
    : stored_(std::move(labels)), connectivity_(connectivity), page_(page), measured_(std::move(measured)),
      history_(std::max(kLeastBytes, stored_->extent().pixelCount() * sizeof(std::uint32_t) / kShareOfLabels)) {}

void LabelWork::measureStored(const JobControl& control) {
    auto made = std::make_shared<FoundObjects>();
    const Buffer<std::uint32_t> numbers = stored_->numbers();
    made->components = measureNumbers(numbers.span(), stored_->extent(), nullptr, measured_.grey.get(),
                                      correspondingConnectivity(stored_->extent(), connectivity_), control);
    if (measured_.grey) {
        sumValues(made->components, *measured_.grey, measured_.mapping, control);
    }
    made->page = page_;
    made->edited = this;
    own_ = made;
    found_ = made;
    stored_.reset();
}

Components LabelWork::copy(const JobControl& control) const {
    const Components& objects = found_->components;
    const std::size_t need = objects.labels.bytes() + objects.objects.size() * sizeof(ComponentRecord);
    if (const std::uint64_t there = availableMemory(); there != 0 && need > there) {
        throw Error(ErrorCode::outOfMemory, "edit objects: this needs " + std::to_string(need >> 20U) +
                                                " MiB, there are " + std::to_string(there >> 20U) + " MiB");
    }
    return copyOf(objects, control);
}

void LabelWork::prepare(const JobControl& control) {
    if (stored_) {
        measureStored(control);
    }
    if (prepared_) {
        return;
    }
    // Readers get the present objects, so a count of 1 stays 1.
    if (before_ && before_.use_count() == 1) {
        std::atomic_thread_fence(std::memory_order_acquire); // after the last reads of others
        takeChanges(before_->components, found_->components, behind_);
        prepared_ = std::move(before_->components);
    } else {
        before_.reset(); // its readers free it
        prepared_ = copy(control);
    }
    before_.reset();
    behind_.clear();
}

std::shared_ptr<FoundObjects> LabelWork::takePrepared(const JobControl& control) {
    prepare(control);
    auto next = std::make_shared<FoundObjects>();
    next->components = std::move(*std::exchange(prepared_, std::nullopt));
    next->low = found_->low;
    next->high = found_->high;
    next->page = found_->page;
    next->regionPixels = found_->regionPixels;
    next->candidates = found_->candidates;
    next->edited = this;
    next->before = found_;
    return next;
}

void LabelWork::publish(std::shared_ptr<FoundObjects> next, std::map<std::uint32_t, LabelBox> changed) {
    for (const auto& [label, box] : changed) {
        next->changed = next->changed.value_or(box);
        next->changed->add(box);
    }
    before_ = std::exchange(own_, next);
    behind_ = std::move(changed);
    found_ = std::move(next);
}

void LabelWork::addRecord(const LabelEdit& edit, bool after, const Components& objects) {
    if (!edit.isEmpty()) {
        records_ += journalRecord(edit, after, [&objects](std::uint32_t label) { return objects.numberOf(label); });
    }
}

bool LabelWork::apply(const Edit& edit, const RemovedObjects& removed, const JobControl& control) {
    const std::shared_ptr<FoundObjects> next = takePrepared(control);
    Components& objects = next->components;
    EditedLabels labels{objects.labels.span(), objects.extent(), objects.count};
    std::map<std::uint32_t, LabelBox> changed;
    LabelEdit removal(labels.extent, labels.count);
    LabelEdit made = removal;
    const auto keep = [&] { // labels as they were serve the next edit
        if (removal.isEmpty()) {
            prepared_ = std::move(objects);
        }
    };
    if (removed) {
        const Extent& extent = labels.extent;
        removal = replaceLabels(labels, *removed, 0,
                                {{0, 0, 0}, {extent.width - 1, extent.height - 1, extent.slices - 1}}, control);
        addChanges(changed, removal);
    }
    if (edit) {
        try {
            made = edit(labels, found_->components, control);
        } catch (const Error&) { // before the edit has changed a label
            keep();
            throw;
        }
        if (made.isEmpty()) {
            keep();
            return false;
        }
    }
    addChanges(changed, made);
    if (made.move().number != 0) {
        addObject(objects, made.move().number, measured_.mapping && measured_.mapping->ranks);
    }
    next->moved = {made.move().from, made.move().to};
    measureChanged(objects, found_->components, changed, made.labels(), measured_.grey.get(), measured_.mapping,
                   control);
    records_.clear();
    addRecord(removal, true, objects);
    addRecord(made, true, objects);
    if (!removal.isEmpty()) {
        history_.push(std::move(removal));
    }
    history_.push(std::move(made));
    publish(next, std::move(changed));
    return true;
}

void LabelWork::go(std::size_t position, const JobControl& control) {
    if (stored_) {
        measureStored(control);
    }
    const std::size_t target = std::clamp(position, history_.oldest(), history_.newest());
    if (target == history_.position()) {
        return;
    }
    const std::shared_ptr<FoundObjects> next = takePrepared(control);
    Components& objects = next->components;
    std::map<std::uint32_t, LabelBox> changed;
    records_.clear();
    const auto follow = [&](std::size_t to, bool back) {
        const LabelEdit edit = history_.at(to).unpacked();
        back ? edit.revert(objects.labels.span()) : edit.apply(objects.labels.span());
        addChanges(changed, edit);
        addRecord(edit, !back, objects);
    };
    for (std::size_t at = history_.position(); at > target; --at) {
        follow(at, true);
    }
    for (std::size_t at = history_.position(); at < target; ++at) {
        follow(at + 1, false);
    }
    measureChanged(objects, found_->components, changed, objects.count, measured_.grey.get(), measured_.mapping,
                   control);
    history_.setPosition(target);
    publish(next, std::move(changed));
}

} // namespace pollard::vm
