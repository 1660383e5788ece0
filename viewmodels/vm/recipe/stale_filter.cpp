#include "vm/recipe/stale_filter.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/image/image_name.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/session/edit_history.hpp"

#include <utility>

namespace pollard::vm {

StaleFilter::StaleFilter(const FilterModels& models, EarlierFilters* earlier, QObject* parent)
    : QObject(parent), models_(models), earlier_(earlier), shown_(models_.document.request()), content_(present()) {
    connect(&models_.document, &DocumentViewModel::imageChanged, this, &StaleFilter::onDocument);
    connect(&models_.document, &DocumentViewModel::frameReady, this, &StaleFilter::refresh);
    connect(&models_.document.choices(), &DocumentChoices::earlierFiltersChanged, this, &StaleFilter::onEdit);
    connect(&models_.filter, &FilterViewModel::edited, this, &StaleFilter::onEdit);
}

StaleFilter::Content StaleFilter::present() const {
    Content content{models_.filter.state(), models_.document.choices().earlierFilters()};
    content.filter.criteria.current = 0;
    return content;
}

StaleFilter::Kind StaleFilter::presentKind() const {
    const DocumentViewModel& document = models_.document;
    const ImageInfo& info = *document.imageInfo();
    const std::optional<Calibration>& values = info.calibration;
    return {document.image()->width(),
            document.image()->height(),
            document.isVolume() ? document.sliceCount() : 0,
            info.bits,
            info.sampleFormat,
            values ? values->unit : std::string(),
            info.pixelSize && !info.pixelSize->print ? info.pixelSize->unit : std::string(),
            values.has_value()};
}

void StaleFilter::clearIfOther() {
    const DocumentViewModel& document = models_.document;
    const Kind kind = presentKind();
    const bool isOther = std::exchange(kind_, kind).value_or(kind) != kind && origin_ != document.path();
    if (!isOther || kept_ || earlier_ == nullptr) {
        return;
    }
    if (earlier_->canClear()) {
        const QString name = imageName(origin_);
        clears_ = true;
        earlier_->clearAll();
        clears_ = false;
        cleared_ = name;
        origin_ = document.path();
    }
    emit clearedForOtherKind();
}

void StaleFilter::onDocument() {
    const DocumentViewModel& document = models_.document;
    if (document.path() != shown_.path) {
        cleared_.clear();
    }
    shown_ = document.request();
    if (document.hasImage() && origin_.isEmpty()) {
        origin_ = document.path();
    }
    if (document.hasImage()) {
        clearIfOther();
    }
    content_ = present(); // without the picks of the previous image
    refresh();
}

void StaleFilter::onEdit() {
    if (clears_) {
        return;
    }
    Content content = present();
    if (models_.document.request() != shown_) { // picks are dropped with a change of the image: no edit
        content.filter.picks = content_.filter.picks;
    }
    if (content != content_) {
        content_ = std::move(content);
        origin_ = models_.document.path();
        kept_ = false;
        cleared_.clear();
        refresh();
    }
}

void StaleFilter::keep() {
    if (isCleared()) {
        models_.history.undo();
    }
    kept_ = true;
    refresh();
}

void StaleFilter::dismiss() {
    if (isCleared()) {
        cleared_.clear();
        refresh();
    } else {
        keep();
    }
}

void StaleFilter::expect(const QString& path) { origin_ = path; }

QString StaleFilter::presentText() const {
    const DocumentViewModel& document = models_.document;
    if (isCleared() && document.hasImage()) {
        return tr("Filter of %1 cleared for another kind of picture").arg(cleared_);
    }
    if (!document.hasImage() || kept_ || origin_.isEmpty() || origin_ == document.path()) {
        return {};
    }
    const QString name = imageName(origin_);
    if (const std::size_t earlier = effectiveStages(document.choices().earlierFilters()).size(); earlier > 0) {
        return tr("Filters of %1 still applied, one after another").arg(name);
    }
    const FilterReport& report = document.shown().frame.report;
    if (report.changedPixels == 0 && document.resultSpec().output == Output::filtered) {
        return {};
    }
    return tr("Filter of %1 still applied: %2 of %3 components kept")
        .arg(name, countText(report.keptNodes), countText(report.keptNodes + report.removedNodes));
}

} // namespace pollard::vm
