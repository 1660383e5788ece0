#include "vm/recipe/carried_filter.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"

#include <QFileInfo>

#include <utility>

namespace pollard::vm {

CarriedFilter::CarriedFilter(const FilterModels& models, QObject* parent)
    : QObject(parent), models_(models), shown_(models_.document.request()), content_(present()) {
    connect(&models_.document, &DocumentViewModel::imageChanged, this, &CarriedFilter::onDocument);
    connect(&models_.document, &DocumentViewModel::frameReady, this, &CarriedFilter::refresh);
    connect(&models_.document.choices(), &DocumentChoices::earlierFiltersChanged, this, &CarriedFilter::onEdit);
    connect(&models_.filter, &FilterViewModel::edited, this, &CarriedFilter::onEdit);
}

CarriedFilter::Content CarriedFilter::present() const {
    Content content{models_.filter.state(), models_.document.choices().earlierFilters()};
    content.filter.criteria.current = 0;
    return content;
}

void CarriedFilter::onDocument() {
    const DocumentViewModel& document = models_.document;
    shown_ = document.request();
    content_ = present(); // without the picks of the previous picture
    if (document.hasImage() && origin_.isEmpty()) {
        origin_ = document.path();
    }
    refresh();
}

void CarriedFilter::onEdit() {
    Content content = present();
    if (models_.document.request() != shown_) { // picks are dropped with a change of the picture: no edit
        content.filter.picks = content_.filter.picks;
    }
    if (content != content_) {
        content_ = std::move(content);
        origin_ = models_.document.path();
        kept_ = false;
        refresh();
    }
}

void CarriedFilter::keep() {
    kept_ = true;
    refresh();
}

void CarriedFilter::expect(const QString& path) { origin_ = path; }

QString CarriedFilter::presentText() const {
    const DocumentViewModel& document = models_.document;
    if (!document.hasImage() || kept_ || origin_.isEmpty() || origin_ == document.path()) {
        return {};
    }
    const QString name = QFileInfo(origin_).fileName();
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
