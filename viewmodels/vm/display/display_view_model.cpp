#include "vm/display/display_view_model.hpp"

#include "vm/document/document_view_model.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::vm {

DisplayViewModel::DisplayViewModel(DocumentViewModel& document, LookStore* memory, QObject* parent)
    : QObject(parent), document_(document), levels_(document.shown()), look_(document.shown(), levels_, memory),
      resultLevels_(document), compare_(document), composite_(document), detail_(document, composite_) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &DisplayViewModel::onImageChanged);
    connect(&document_, &DocumentViewModel::frameReady, &look_, &DisplayLook::updateResult);
    connect(&compare_, &CompareViewModel::modeChanged, this, &DisplayViewModel::splitChanged);
    connect(&look_, &DisplayLook::windowChanged, this, &DisplayViewModel::windowChanged);
    connect(&look_, &DisplayLook::fitsResultsChanged, this, &DisplayViewModel::fitsResultsChanged);
    connect(&look_, &DisplayLook::fitsResultsChanged, this, [this] { resultLevels_.setOfResult(look_.fitsResults()); });
    connect(&resultLevels_, &ResultLevels::changed, this, [this] { look_.setResultLevels(resultLevels_.histogram()); });
    connect(&look_, &DisplayLook::autoRangeChanged, this, &DisplayViewModel::autoRangeChanged);
    connect(&look_, &DisplayLook::toneCurveChanged, this, &DisplayViewModel::toneCurveChanged);
    connect(&look_, &DisplayLook::colourMapChanged, this, &DisplayViewModel::colourMapChanged);
    connect(&look_, &DisplayLook::sameForAllChanged, this, &DisplayViewModel::sameForAllChanged);
    connect(&view_, &ImageView::changed, this, &DisplayViewModel::viewChanged);
    onImageChanged();
    for (const auto signal :
         {&DisplayViewModel::viewChanged, &DisplayViewModel::pictureChanged, &DisplayViewModel::splitChanged}) {
        connect(this, signal, this, &DisplayViewModel::lookForDetail);
    }
    connect(&document_, &DocumentViewModel::frameReady, this, &DisplayViewModel::lookForDetail);
    for (const auto signal : {&CompositeViewModel::onChanged, &CompositeViewModel::stateChanged,
                              &CompositeViewModel::looksChanged, &CompositeViewModel::channelsChanged}) {
        connect(&composite_, signal, this, &DisplayViewModel::lookForDetail);
    }
}

bool DisplayViewModel::isUnfiltered() const {
    const DocumentContents& shown = document_.shown();
    return document_.hasResult() && shown.frame.spec.output == Output::filtered &&
           shown.frame.report.changedPixels == 0 && document_.input() == document_.image();
}

void DisplayViewModel::lookForDetail() {
    using Mode = CompareViewModel::Mode;
    const Mode mode = compare_.mode();
    const bool isSeen = mode == Mode::split || mode == Mode::blink ||
                        (mode == Mode::off && (picture_ == Picture::image || isUnfiltered()));
    detail_.look(view(), isSeen);
}

void DisplayViewModel::setPicture(Picture picture) {
    if (picture == picture_) {
        return;
    }
    picture_ = picture;
    emit pictureChanged();
}

void DisplayViewModel::autoWindow() {
    if (composite_.isShown()) {
        composite_.autoWindows();
    } else {
        look_.autoWindow();
    }
}

void DisplayViewModel::fullWindow() {
    if (composite_.isShown()) {
        composite_.fullWindows();
    } else {
        setWindow(0, maxLevel());
    }
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

void DisplayViewModel::setMarksSaturation(bool marks) {
    if (marks == marks_) {
        return;
    }
    marks_ = marks;
    emit marksChanged();
}

void DisplayViewModel::onImageChanged() {
    if (levels_.update()) {
        emit levelDomainChanged();
    }
    look_.update();
    const auto image = document_.image();
    view_.setImageSize(image ? QSize(static_cast<int>(image->width()), static_cast<int>(image->height())) : QSize());
}

} // namespace pollard::vm
