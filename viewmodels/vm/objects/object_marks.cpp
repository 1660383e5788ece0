#include "vm/objects/object_marks.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

std::vector<std::uint32_t> labelsOf(const RemovedObjects& removed) {
    std::vector<std::uint32_t> labels;
    if (removed) {
        for (std::size_t i = 0; i < removed->size(); ++i) {
            if ((*removed)[i] != 0) {
                labels.push_back(static_cast<std::uint32_t>(i + 1));
            }
        }
    }
    return labels;
}

RemovedObjects removedOf(const std::vector<std::uint32_t>& labels, std::uint64_t count, std::uint64_t pixels) {
    if (labels.empty() || count > pixels) { // an image has at most as many objects as pixels
        return nullptr;
    }
    std::vector<std::uint8_t> flags(count, 0);
    for (const std::uint32_t label : labels) {
        flags[label - 1] = 1;
    }
    return std::make_shared<const std::vector<std::uint8_t>>(std::move(flags));
}

void ObjectMarks::setObjects(const std::shared_ptr<const FoundObjects>& found) {
    if (found == found_) {
        return;
    }
    last_ = found ? ChosenObjects() : chosen();
    found_ = found;
    const bool wasSelected = !selected_.empty();
    const bool wasRemoved = removedCount_ != 0;
    selected_.clear();
    selectedFlags_.assign(found ? found->components.objects.size() : 0, 0);
    removed_.reset();
    removedCount_ = 0;
    if (wasSelected) {
        emit selectionChanged();
    }
    if (wasRemoved) {
        emit removedChanged();
    }
}

void ObjectMarks::forgetLast() {
    if (std::exchange(last_, {}).found) {
        emit selectionChanged();
    }
}

void ObjectMarks::select(std::span<const std::uint32_t> labels) {
    if (std::ranges::equal(labels, selected_)) {
        return;
    }
    for (const std::uint32_t label : selected_) {
        selectedFlags_[label - 1] = 0;
    }
    Labels chosen;
    chosen.reserve(labels.size());
    for (const std::uint32_t label : labels) {
        if (label != 0 && label <= selectedFlags_.size() && std::exchange(selectedFlags_[label - 1], 1) == 0) {
            chosen.push_back(label);
        }
    }
    selected_ = std::move(chosen);
    emit selectionChanged();
}

void ObjectMarks::toggle(std::uint32_t label) {
    if (label == 0 || label > selectedFlags_.size()) {
        return;
    }
    if (std::exchange(selectedFlags_[label - 1], 1) == 0) {
        selected_.push_back(label);
    } else {
        selectedFlags_[label - 1] = 0;
        std::erase(selected_, label);
    }
    emit selectionChanged();
}

void ObjectMarks::remove(std::span<const std::uint32_t> labels) {
    Labels fresh;
    for (const std::uint32_t label : labels) {
        if (label != 0 && label <= selectedFlags_.size() && !(removed_ && (*removed_)[label - 1] != 0)) {
            fresh.push_back(label);
        }
    }
    std::ranges::sort(fresh);
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    if (fresh.empty()) {
        return;
    }
    // A copy: a job may read the old one.
    auto flags = removed_ ? std::make_shared<std::vector<std::uint8_t>>(*removed_)
                          : std::make_shared<std::vector<std::uint8_t>>(selectedFlags_.size(), std::uint8_t{0});
    for (const std::uint32_t label : fresh) {
        (*flags)[label - 1] = 1;
    }
    removed_ = std::move(flags);
    removedCount_ += static_cast<int>(fresh.size());
    select({});
    emit removedChanged();
}

void ObjectMarks::keepOnly(std::span<const std::uint32_t> labels, std::span<const std::uint32_t> listed) {
    std::vector<std::uint8_t> kept(selectedFlags_.size(), 0);
    for (const std::uint32_t label : labels) {
        if (label != 0 && label <= kept.size()) {
            kept[label - 1] = 1;
        }
    }
    Labels rest;
    std::ranges::copy_if(listed, std::back_inserter(rest), [&](std::uint32_t label) {
        return label != 0 && label <= kept.size() && kept[label - 1] == 0;
    });
    remove(rest);
}

void ObjectMarks::restore(const RemovedObjects& removed) {
    const bool same = removed == removed_ || (removed && removed_ && *removed == *removed_);
    if (same || (removed && removed->size() != selectedFlags_.size())) {
        return;
    }
    removed_ = removed;
    removedCount_ = removed ? static_cast<int>(std::ranges::count(*removed, std::uint8_t{1})) : 0;
    select({});
    emit removedChanged();
}

} // namespace pollard::vm
