#include "labels/label_edit.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

namespace pollard {

namespace {

LabelBox boxOf(const PixelSpan& pixels, const Extent& extent) {
    const auto voxel = [&](std::size_t pixel) {
        const std::size_t row = pixel / extent.width;
        return Voxel{static_cast<std::uint32_t>(pixel % extent.width), static_cast<std::uint32_t>(row % extent.height),
                     static_cast<std::uint32_t>(row / extent.height)};
    };
    return {voxel(pixels.first), voxel(pixels.last - 1)};
}

} // namespace

void LabelEdit::append(std::size_t number) {
    for (; number >= 0x80; number >>= 7U) {
        runs_.push_back(static_cast<std::uint8_t>(number | 0x80U));
    }
    runs_.push_back(static_cast<std::uint8_t>(number));
}

void LabelEdit::noteChange(std::uint32_t label, const LabelBox& box) {
    if (label != 0) {
        changed_.try_emplace(label, box).first->second.add(box);
    }
}

void LabelEdit::add(const PixelSpan& pixels, std::uint32_t before, std::uint32_t after) {
    if (before == after || pixels.first == pixels.last) {
        return;
    }
    const bool isOther = runs_.empty() || before != lastBefore_ || after != lastAfter_;
    append(pixels.first - end_);
    append((pixels.last - pixels.first) * 2 + (isOther ? 1 : 0));
    if (isOther) {
        append(lastBefore_ = before);
        append(lastAfter_ = after);
    }
    end_ = pixels.last;
    labels_ = std::max(labels_, after);
    const LabelBox box = boxOf(pixels, extent_);
    noteChange(before, box);
    noteChange(after, box);
}

void LabelEdit::forEachRun(const std::function<void(const PixelSpan&, std::uint32_t, std::uint32_t)>& visit) const {
    const std::vector<std::uint8_t> whole = packedBytes_ != 0 ? inflated() : std::vector<std::uint8_t>();
    const std::vector<std::uint8_t>& runs = packedBytes_ != 0 ? whole : runs_;
    std::size_t at = 0;
    const auto next = [&] {
        std::size_t number = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t byte = runs[at++];
            number |= static_cast<std::size_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0) {
                return number;
            }
        }
    };
    std::size_t pixel = 0;
    std::uint32_t old = 0;
    std::uint32_t fresh = 0;
    while (at < runs.size()) {
        pixel += next();
        const std::size_t code = next();
        if (code % 2 != 0) {
            old = static_cast<std::uint32_t>(next());
            fresh = static_cast<std::uint32_t>(next());
        }
        visit({pixel, pixel + code / 2}, old, fresh);
        pixel += code / 2;
    }
}

void LabelEdit::apply(std::span<std::uint32_t> labels) const {
    forEachRun([labels](const PixelSpan& pixels, std::uint32_t, std::uint32_t fresh) {
        std::ranges::fill(labels.subspan(pixels.first, pixels.last - pixels.first), fresh);
    });
}

void LabelEdit::revert(std::span<std::uint32_t> labels) const {
    forEachRun([labels](const PixelSpan& pixels, std::uint32_t old, std::uint32_t) {
        std::ranges::fill(labels.subspan(pixels.first, pixels.last - pixels.first), old);
    });
}

std::size_t LabelEdit::bytes() const noexcept {
    constexpr std::size_t kMapNode = 48; // links and the block around it
    return sizeof(LabelEdit) + runs_.capacity() + changed_.size() * (sizeof(*changed_.begin()) + kMapNode);
}

std::vector<std::uint8_t> LabelEdit::inflated() const {
    std::vector<std::uint8_t> runs(packedBytes_);
    auto bytes = static_cast<uLongf>(runs.size());
    if (uncompress(runs.data(), &bytes, runs_.data(), static_cast<uLong>(runs_.size())) != Z_OK) {
        throw std::bad_alloc(); // the data is its own, so only memory can be missing
    }
    return runs;
}

void LabelEdit::pack() {
    auto bytes = compressBound(static_cast<uLong>(runs_.size()));
    std::vector<std::uint8_t> packed(bytes);
    if (compress2(packed.data(), &bytes, runs_.data(), static_cast<uLong>(runs_.size()), Z_BEST_SPEED) == Z_OK &&
        bytes < runs_.size()) {
        packedBytes_ = runs_.size();
        runs_.assign(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(bytes));
        runs_.shrink_to_fit();
        changed_.clear();
    }
}

LabelEdit LabelEdit::unpacked() const {
    if (packedBytes_ == 0) {
        return *this;
    }
    LabelEdit edit(extent_, labels_);
    edit.move_ = move_;
    forEachRun(
        [&edit](const PixelSpan& pixels, std::uint32_t old, std::uint32_t fresh) { edit.add(pixels, old, fresh); });
    return edit;
}

void LabelHistory::push(LabelEdit edit) {
    while (newest() > position_) {
        bytes_ -= edits_.back().bytes();
        edits_.pop_back();
    }
    if (edit.bytes() > mostBytes_) {
        edit.pack();
    }
    ++position_;
    if (edit.bytes() / kTimesForOne > mostBytes_) {
        edits_.clear();
        oldest_ = position_;
        bytes_ = 0;
        return;
    }
    edits_.push_back(std::move(edit));
    bytes_ += edits_.back().bytes();
    while (bytes_ > mostBytes_ && edits_.size() > 1) {
        bytes_ -= edits_.front().bytes();
        edits_.pop_front();
        ++oldest_;
    }
}

} // namespace pollard
