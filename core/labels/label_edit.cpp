#include "labels/label_edit.hpp"

#include <algorithm>

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

void LabelEdit::write(std::span<std::uint32_t> labels, bool after) const {
    std::size_t at = 0;
    const auto next = [&] {
        std::size_t number = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t byte = runs_[at++];
            number |= static_cast<std::size_t>(byte & 0x7fU) << shift;
            if ((byte & 0x80U) == 0) {
                return number;
            }
        }
    };
    std::size_t pixel = 0;
    std::uint32_t old = 0;
    std::uint32_t fresh = 0;
    while (at < runs_.size()) {
        pixel += next();
        const std::size_t code = next();
        if (code % 2 != 0) {
            old = static_cast<std::uint32_t>(next());
            fresh = static_cast<std::uint32_t>(next());
        }
        std::ranges::fill(labels.subspan(pixel, code / 2), after ? fresh : old);
        pixel += code / 2;
    }
}

std::size_t LabelEdit::bytes() const noexcept {
    constexpr std::size_t kMapNode = 48; // links and the block around it
    return sizeof(LabelEdit) + runs_.capacity() + changed_.size() * (sizeof(*changed_.begin()) + kMapNode);
}

void LabelHistory::push(LabelEdit edit) {
    while (newest() > position_) {
        bytes_ -= edits_.back().bytes();
        edits_.pop_back();
    }
    edits_.push_back(std::move(edit));
    bytes_ += edits_.back().bytes();
    ++position_;
    while (bytes_ > mostBytes_ && edits_.size() > 1) {
        bytes_ -= edits_.front().bytes();
        edits_.pop_front();
        ++oldest_;
    }
}

} // namespace pollard
