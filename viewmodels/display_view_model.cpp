#include "display_view_model.hpp"

#include "document_view_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pollard::vm {

namespace {

constexpr double kZoomStep = 1.25;
/// Smallest width of the window, in grey levels.
constexpr double kMinWindowWidth = 1;

/// Few bits stored in a wider type, or more than a screen shows, look black at full range.
bool needsAutoWindow(const ImageInfo& info, PixelType type) { return type == PixelType::u16 || info.bits < 8; }

} // namespace

DisplayViewModel::DisplayViewModel(DocumentViewModel& document, QObject* parent)
    : QObject(parent), document_(document), shownResultWindow_(window_) {
    connect(&document_, &DocumentViewModel::documentChanged, this, &DisplayViewModel::onDocumentChanged);
    connect(&document_, &DocumentViewModel::frameReady, this, &DisplayViewModel::onFrameReady);
    onDocumentChanged();
}

LevelWindow DisplayViewModel::resultWindow() const {
    switch (document_.resultSpec().output) {
    case Output::filtered:
        return window_;
    case Output::residue: {
        // What was removed is far darker than the picture: stretch it by as much as it is darker, in steps of two so
        // that the picture does not flicker while a threshold is dragged. The person's window still scales it.
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
    }
    return window_;
}

QString DisplayViewModel::zoomText() const {
    const double percent = view_.zoom * 100;
    return tr("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0);
}

void DisplayViewModel::setWindow(double low, double high) {
    if (std::isnan(low) || std::isnan(high)) {
        return;
    }
    if (low > high) {
        std::swap(low, high);
    }
    low = std::clamp<double>(low, 0, maxLevel_ - kMinWindowWidth);
    high = std::clamp<double>(high, low + kMinWindowWidth, maxLevel_);
    if (LevelWindow{low, high} == window_) {
        return;
    }
    windowTouched_ = true;
    applyWindow({low, high});
}

void DisplayViewModel::setWindowLow(double low) {
    setWindow(std::min(low, window_.high - kMinWindowWidth), window_.high);
}

void DisplayViewModel::setWindowHigh(double high) {
    setWindow(window_.low, std::max(high, window_.low + kMinWindowWidth));
}

void DisplayViewModel::autoWindow() {
    if (const auto histogram = document_.levelHistogram()) {
        const LevelWindow window = pollard::vm::autoWindow(*histogram);
        setWindow(window.low, window.high);
    }
}

void DisplayViewModel::fullWindow() { setWindow(0, maxLevel_); }

void DisplayViewModel::setColourMap(ColourMap map) {
    if (map == colourMap_) {
        return;
    }
    colourMap_ = map;
    emit colourMapChanged();
}

void DisplayViewModel::setPicture(Picture picture) {
    if (picture == picture_) {
        return;
    }
    picture_ = picture;
    emit pictureChanged();
}

void DisplayViewModel::setSplitEnabled(bool enabled) {
    if (enabled == splitEnabled_) {
        return;
    }
    splitEnabled_ = enabled;
    emit splitChanged();
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

void DisplayViewModel::setViewSize(const QSizeF& size) {
    if (size == view_.viewSize) {
        return;
    }
    ViewTransform view = view_;
    view.viewSize = size;
    applyView(fitting_ ? view.fitted() : view, fitting_);
}

void DisplayViewModel::fit() { applyView(view_.fitted(), true); }

void DisplayViewModel::actualSize() { setZoom(1); }

void DisplayViewModel::setZoom(double zoom) {
    const QPointF middle(view_.viewSize.width() / 2, view_.viewSize.height() / 2);
    if (zoom > 0) {
        applyView(view_.zoomedAbout(middle, zoom), false);
    }
}

void DisplayViewModel::setCentre(const QPointF& image) {
    ViewTransform view = view_;
    view.centre = image;
    applyView(view.clamped(), false);
}

void DisplayViewModel::zoomAbout(const QPointF& view, double factor) {
    if (factor > 0) {
        applyView(view_.zoomedAbout(view, view_.zoom * factor), false);
    }
}

void DisplayViewModel::zoomIn() { setZoom(view_.zoom * kZoomStep); }

void DisplayViewModel::zoomOut() { setZoom(view_.zoom / kZoomStep); }

void DisplayViewModel::pan(const QPointF& viewDelta) { applyView(view_.panned(viewDelta), false); }

void DisplayViewModel::onDocumentChanged() {
    const auto image = document_.image();
    const auto histogram = document_.levelHistogram();
    const int maxLevel = image ? maxLevelOf(image->type()) : 255;
    const int dataMinimum = histogram ? histogram->minimum : 0;
    const int dataMaximum = histogram ? histogram->maximum : maxLevel;
    const bool otherType = maxLevel != maxLevel_;
    if (otherType || dataMinimum != dataMinimum_ || dataMaximum != dataMaximum_) {
        maxLevel_ = maxLevel;
        dataMinimum_ = dataMinimum;
        dataMaximum_ = dataMaximum;
        emit levelDomainChanged();
    }
    // Somebody who set the window and turns the pages of a stack wants to compare them.
    if (!windowTouched_ || otherType || document_.path() != windowPath_) {
        windowTouched_ = false;
        const bool automatic = image && histogram && needsAutoWindow(*document_.imageInfo(), image->type());
        applyWindow(automatic ? pollard::vm::autoWindow(*histogram) : LevelWindow{0, static_cast<double>(maxLevel)});
    }
    windowPath_ = document_.path();

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

void DisplayViewModel::applyView(const ViewTransform& view, bool fitting) {
    if (view == view_ && fitting == fitting_) {
        return;
    }
    view_ = view;
    fitting_ = fitting;
    emit viewChanged();
}

} // namespace pollard::vm
