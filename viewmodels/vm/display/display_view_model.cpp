#include "vm/display/display_view_model.hpp"

#include "vm/display/look_memory.hpp"
#include "vm/document/document_view_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pollard::vm {

DisplayViewModel::DisplayViewModel(DocumentViewModel& document, LookMemory* memory, QObject* parent)
    : QObject(parent), document_(document), memory_(memory), compare_(document), shownResultWindow_(window_) {
    connect(&document_, &DocumentViewModel::documentChanged, this, &DisplayViewModel::onDocumentChanged);
    connect(&document_, &DocumentViewModel::frameReady, this, &DisplayViewModel::onFrameReady);
    connect(&compare_, &CompareViewModel::modeChanged, this, &DisplayViewModel::splitChanged);
    if (memory_ != nullptr) {
        look_ = memory_->recall({});
        connect(memory_, &LookMemory::sharedChanged, this, &DisplayViewModel::sameForAllChanged);
    }
    onDocumentChanged();
}

LevelWindow DisplayViewModel::resultWindow() const {
    switch (document_.resultSpec().output) {
    case Output::filtered:
        return window_;
    case Output::residue: {
        // A residue is far darker than the picture: stretch it by that ratio, in steps of a factor of two so that it
        // does not flicker while a threshold is dragged. The user's window also scales it.
        const double width = window_.high - window_.low;
        const auto histogram = document_.levelHistogram();
        const std::uint32_t bright = document_.resultBrightLevel();
        if (histogram == nullptr || bright == 0) {
            return {0, width};
        }
        const LevelWindow whole = pollard::vm::autoWindow(*histogram);
        return {0, std::max(1.0, width * (std::bit_ceil(bright + 1) - 1) / (whole.high - whole.low))};
    }
    case Output::mask:
        return {0, static_cast<double>(maxLevel_)};
    case Output::labels:
        return {0, std::max(1.0, static_cast<double>(document_.resultBrightLevel()))};
    }
    return window_;
}

void DisplayViewModel::setPicture(Picture picture) {
    if (picture == picture_) {
        return;
    }
    picture_ = picture;
    emit pictureChanged();
}

void DisplayViewModel::setSplitEnabled(bool enabled) {
    using Mode = CompareViewModel::Mode;
    if (enabled != isSplitEnabled()) {
        compare_.setMode(enabled ? Mode::split : Mode::off);
    }
}

bool DisplayViewModel::wantsResult() const noexcept {
    switch (compare_.mode()) {
    case CompareViewModel::Mode::off:
        return picture_ == Picture::result;
    case CompareViewModel::Mode::blink:
        return compare_.isResultTurn();
    case CompareViewModel::Mode::split:
    case CompareViewModel::Mode::difference:
        break;
    }
    return true;
}

void DisplayViewModel::setSplitPosition(double position) {
    if (std::isnan(position)) {
        return;
    }
    position = std::clamp(position, 0.0, 1.0);
    if (position == splitPosition_) {
        return;
    }
    splitPosition_ = position;
    emit splitChanged();
}

void DisplayViewModel::setSmooth(bool smooth) {
    if (smooth == smooth_) {
        return;
    }
    smooth_ = smooth;
    emit smoothChanged();
}

void DisplayViewModel::onDocumentChanged() {
    const auto image = document_.image();
    const auto histogram = document_.levelHistogram();
    const int maxLevel = image ? maxLevelOf(image->type()) : 255;
    const int dataMinimum = histogram ? histogram->minimum : 0;
    const int dataMaximum = histogram ? histogram->maximum : maxLevel;
    const auto info = document_.imageInfo();
    const std::optional<ValueMapping> mapping = info ? info->mapping : std::nullopt;
    const bool otherType = maxLevel != maxLevel_;
    const bool otherFile = document_.path() != lookPath_;
    const bool otherDomain =
        otherType || dataMinimum != dataMinimum_ || dataMaximum != dataMaximum_ || mapping != mapping_;
    maxLevel_ = maxLevel;
    dataMinimum_ = dataMinimum;
    dataMaximum_ = dataMaximum;
    mapping_ = mapping;
    lookPath_ = document_.path();
    if (otherDomain) {
        emit levelDomainChanged();
    }
    if (otherFile && memory_ != nullptr && image) {
        adoptLook(memory_->recall(lookPath_));
    } else {
        if (otherFile) {
            look_.window = Look::Window::opening;
        }
        adoptLook(look_);
    }

    ViewTransform view = view_;
    view.imageSize = image ? QSize(static_cast<int>(image->width()), static_cast<int>(image->height())) : QSize();
    if (view.imageSize != view_.imageSize) {
        applyView(view.fitted(), true);
    }
}

void DisplayViewModel::onFrameReady() {
    if (resultWindow() != shownResultWindow_) {
        applyWindow(window_);
    }
}

void DisplayViewModel::applyWindow(LevelWindow window) {
    const LevelWindow before = window_;
    const LevelWindow resultBefore = shownResultWindow_;
    window_ = window;
    shownResultWindow_ = resultWindow();
    if (window_ != before || shownResultWindow_ != resultBefore) {
        emit windowChanged();
    }
}

} // namespace pollard::vm
