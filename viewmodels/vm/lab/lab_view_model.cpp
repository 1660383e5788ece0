#include "vm/lab/lab_view_model.hpp"

#include "vm/lab/lab_scenes.hpp"

#include "image/image.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {
namespace {

constexpr std::size_t kMostUndone = 200;
constexpr int kSide = static_cast<int>(teach::kLabSide);
constexpr int kTen = 10;

/// Start of a crop of at most kLabSide px around @p centre.
std::uint32_t startOf(int centre, std::uint32_t side, std::uint32_t length) {
    return static_cast<std::uint32_t>(
        std::clamp(centre - static_cast<int>(length) / 2, 0, static_cast<int>(side - length)));
}

} // namespace

LabViewModel::LabViewModel(QObject* parent) : QObject(parent), picture_(labExamples().front().picture) {}

void LabViewModel::change(teach::LabImage picture) {
    if (picture == picture_) {
        return;
    }
    if (!stroke_) {
        before_.push_back(picture_);
        if (before_.size() > kMostUndone) {
            before_.erase(before_.begin());
        }
    }
    picture_ = std::move(picture);
    clampFocus();
    emit pictureChanged();
}

void LabViewModel::clampFocus() {
    const int last = width() * height() - 1;
    cursor_ = std::min(cursor_, last);
    if (hovered_ > last) {
        hovered_ = -1;
    }
}

void LabViewModel::setSize(int width, int height) {
    const auto w = static_cast<std::uint32_t>(std::clamp(width, 1, kSide));
    const auto h = static_cast<std::uint32_t>(std::clamp(height, 1, kSide));
    teach::LabImage next{w, h, {}};
    for (std::uint32_t y = 0; y < h; ++y) {
        for (std::uint32_t x = 0; x < w; ++x) {
            next.levels.push_back(
                picture_.levels[picture_.pixelAt(std::min(x, picture_.width - 1), std::min(y, picture_.height - 1))]);
        }
    }
    const int x = cursor_ % this->width();
    const int y = cursor_ / this->width();
    cursor_ = std::min(y, static_cast<int>(h) - 1) * static_cast<int>(w) + std::min(x, static_cast<int>(w) - 1);
    stroke_ = false;
    change(std::move(next));
}

void LabViewModel::setPicture(const teach::LabImage& picture) {
    stroke_ = false;
    typing_ = false;
    change(picture);
}

void LabViewModel::loadExample(int number) {
    const auto examples = labExamples();
    if (number >= 0 && number < static_cast<int>(examples.size())) {
        setPicture(examples[static_cast<std::size_t>(number)].picture);
    }
}

void LabViewModel::takeCrop(const Image& image, const QPoint& centre) {
    teach::LabImage crop{std::min(image.width(), teach::kLabSide), std::min(image.height(), teach::kLabSide), {}};
    const std::uint32_t left = startOf(centre.x(), image.width(), crop.width);
    const std::uint32_t top = startOf(centre.y(), image.height(), crop.height);
    for (std::uint32_t y = 0; y < crop.height; ++y) {
        for (std::uint32_t x = 0; x < crop.width; ++x) {
            crop.levels.push_back(image.level(std::size_t{top + y} * image.width() + left + x));
        }
    }
    setPicture(crop);
}

void LabViewModel::setLevel(int pixel, int level) {
    if (pixel < 0 || pixel >= width() * height()) {
        return;
    }
    teach::LabImage next = picture_;
    next.levels[static_cast<std::size_t>(pixel)] = static_cast<std::uint16_t>(std::clamp(level, 0, kLargestLevel));
    change(std::move(next));
}

void LabViewModel::paint(int pixel) {
    const teach::LabImage was = picture_;
    setLevel(pixel, brush_);
    stroke_ = stroke_ || picture_ != was;
}

void LabViewModel::undo() {
    if (before_.empty()) {
        return;
    }
    stroke_ = false;
    typing_ = false;
    picture_ = std::move(before_.back());
    before_.pop_back();
    clampFocus();
    emit pictureChanged();
}

void LabViewModel::setCursor(int pixel) {
    typing_ = false;
    vm::change(this, cursor_, std::clamp(pixel, 0, width() * height() - 1), &LabViewModel::focusChanged);
}

void LabViewModel::moveCursor(int across, int down) {
    const int x = std::clamp(cursor_ % width() + across, 0, width() - 1);
    const int y = std::clamp(cursor_ / width() + down, 0, height() - 1);
    setCursor(y * width() + x);
}

void LabViewModel::setHovered(int pixel) {
    vm::change(this, hovered_, pixel < width() * height() ? pixel : -1, &LabViewModel::focusChanged);
}

void LabViewModel::typeDigit(int digit) {
    const int longer = levelAt(cursor_) * kTen + digit;
    const int level = typing_ && longer <= kLargestLevel ? longer : digit;
    setLevel(cursor_, level);
    typing_ = true;
}

void LabViewModel::raise(int by) {
    typing_ = false;
    setLevel(cursor_, levelAt(cursor_) + by);
}

} // namespace pollard::vm
