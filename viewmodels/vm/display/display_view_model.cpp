#include "vm/display/display_view_model.hpp"

#include "vm/base/change.hpp"
#include "vm/document/document_view_model.hpp"

#include <QMetaEnum>
#include <QSettings>

#include <algorithm>
#include <cmath>

namespace pollard::vm {

QString ImageView::zoomText() const {
    const double percent = transform_.zoom * 100;
    return tr("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0);
}

void ImageView::setImageSize(QSize size) {
    if (size != transform_.imageSize) {
        ViewTransform view = transform_;
        view.imageSize = size;
        apply(view.fitted(), true);
    }
}

void ImageView::setViewSize(const QSizeF& size) {
    if (size == transform_.viewSize) {
        return;
    }
    ViewTransform view = transform_;
    view.viewSize = size;
    apply(fitting_ ? view.fitted() : view, fitting_);
}

void ImageView::setZoom(double zoom) {
    const QPointF middle(transform_.viewSize.width() / 2, transform_.viewSize.height() / 2);
    if (zoom > 0) {
        apply(transform_.zoomedAbout(middle, zoom), false);
    }
}

void ImageView::setCentre(const QPointF& image) {
    ViewTransform view = transform_;
    view.centre = image;
    apply(view.clamped(), false);
}

void ImageView::zoomAbout(const QPointF& view, double factor) {
    if (factor > 0) {
        apply(transform_.zoomedAbout(view, transform_.zoom * factor), false);
    }
}

void ImageView::apply(const ViewTransform& view, bool fitting) {
    if (view == transform_ && fitting == fitting_) {
        return;
    }
    transform_ = view;
    fitting_ = fitting;
    emit changed();
}

namespace {

constexpr auto kRulersInPixels = "overlays/rulersInPixels";

QString keyOf(OverlaysViewModel::Overlay overlay) {
    return QStringLiteral("overlays/") +
           QString::fromLatin1(QMetaEnum::fromType<OverlaysViewModel::Overlay>().valueToKey(static_cast<int>(overlay)));
}

/// Defaults: overlays that are generally useful and cover little of the image.
bool shownAtFirst(OverlaysViewModel::Overlay overlay) {
    using Overlay = OverlaysViewModel::Overlay;
    return overlay == Overlay::scaleBar || overlay == Overlay::minimap || overlay == Overlay::patient;
}

} // namespace

OverlaysViewModel::OverlaysViewModel(QSettings& settings, QObject* parent) : QObject(parent), settings_(settings) {
    for (const Overlay overlay : kOverlays) {
        shown_[static_cast<std::size_t>(overlay)] = settings_.value(keyOf(overlay), shownAtFirst(overlay)).toBool();
    }
    rulersInPixels_ = settings_.value(kRulersInPixels, false).toBool();
}

void OverlaysViewModel::setShown(Overlay overlay, bool shown) {
    if (shown == isShown(overlay)) {
        return;
    }
    shown_[static_cast<std::size_t>(overlay)] = shown;
    settings_.setValue(keyOf(overlay), shown);
    emit changed();
}

void OverlaysViewModel::setRulersInPixels(bool pixels) {
    if (!change(rulersInPixels_, pixels)) {
        return;
    }
    settings_.setValue(kRulersInPixels, pixels);
    emit changed();
}

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
         {&DisplayViewModel::viewChanged, &DisplayViewModel::imageChanged, &DisplayViewModel::splitChanged}) {
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
                        (mode == Mode::off && (image_ == Source::original || isUnfiltered()));
    detail_.look(view(), isSeen);
}

void DisplayViewModel::setImage(Source source) { change(this, image_, source, &DisplayViewModel::imageChanged); }

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
        return image_ == Source::result;
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
    change(this, splitPosition_, position, &DisplayViewModel::splitChanged);
}

void DisplayViewModel::setSmooth(bool smooth) { change(this, smooth_, smooth, &DisplayViewModel::smoothChanged); }

void DisplayViewModel::setMarksSaturation(bool marks) { change(this, marks_, marks, &DisplayViewModel::marksChanged); }

void DisplayViewModel::onImageChanged() {
    if (levels_.update()) {
        emit levelDomainChanged();
    }
    look_.update();
    const auto image = document_.image();
    view_.setImageSize(image ? QSize(static_cast<int>(image->width()), static_cast<int>(image->height())) : QSize());
}

} // namespace pollard::vm
