#include "vm/recipe/earlier_filters.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/open_request.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/session/edit_history.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

EarlierFilters::EarlierFilters(const FilterModels& models, QObject* parent) : QObject(parent), models_(models) {
    const DocumentViewModel& document = models_.document;
    connect(&document.choices(), &DocumentChoices::earlierFiltersChanged, this, &EarlierFilters::changed);
    connect(&document, &DocumentViewModel::hasImageChanged, this, &EarlierFilters::changed);
    connect(&models_.filter, &FilterViewModel::specChanged, this, &EarlierFilters::changed);
}

bool EarlierFilters::hasImage() const { return models_.document.hasImage(); }

int EarlierFilters::count() const {
    return static_cast<int>(effectiveStages(models_.document.choices().earlierFilters()).size());
}

bool EarlierFilters::canGoBack() const {
    return models_.document.hasImage() && !models_.document.choices().earlierFilters().empty();
}

bool EarlierFilters::canContinue() const {
    const FilterSpec spec = models_.filter.spec();
    return models_.document.hasImage() && models_.filter.isEnabled() && spec.output != Output::labels &&
           mayChange(spec);
}

QString EarlierFilters::note() const {
    const FilterStages stages = effectiveStages(models_.document.choices().earlierFilters());
    if (!models_.document.hasImage() || stages.empty()) {
        return {};
    }
    const bool hasOperator =
        std::ranges::any_of(stages, [](const FilterStage& stage) { return stage.operation.has_value(); });
    if (stages.size() == 1) {
        return hasOperator ? tr("Works on the result of one operator") : tr("Works on the result of one filter");
    }
    return (hasOperator ? tr("Works on the result of %1 steps") : tr("Works on the result of %1 filters"))
        .arg(stages.size());
}

QString EarlierFilters::details() const {
    QStringList lines;
    for (const RecipeStep& step : recipeStepsOf(models_.document.choices().earlierFilters())) {
        lines << RecipeViewModel::titleOf(step);
    }
    return lines.join(u'\n');
}

void EarlierFilters::continueFromResult() {
    if (!canContinue()) {
        return;
    }
    FilterStages stages = presentStages(models_);
    FilterStage next = stages.back();
    next.filter = {};
    stages.push_back(next);
    if (const QString problem = problemOf(stages); !problem.isEmpty()) {
        emit failed(problem);
        return;
    }
    takeStages(stages, models_, tr("Continue from the result"));
}

void EarlierFilters::goBack() {
    if (!canGoBack()) {
        return;
    }
    FilterStages stages = presentStages(models_);
    stages.pop_back();
    if (stages.back().operation) { // removed, because the current stage is a filter
        stages = withFilter(std::move(stages));
        stages.erase(stages.end() - 2);
    }
    takeStages(stages, models_, tr("Back to the previous filter"));
}

bool EarlierFilters::canClear() const {
    return models_.document.hasImage() && (mayChange(models_.filter.spec()) || canGoBack());
}

void EarlierFilters::clearAll() {
    if (!canClear()) {
        return;
    }
    EditState next = models_.history.state();
    next.earlier.clear();
    FilterSettings nothing;
    CriterionEntry open;
    open.attribute = models_.filter.attribute();
    nothing.criteria.entries = {open};
    nothing.prominent = next.filter.prominent;
    nothing.rule = next.filter.rule;
    next.filter = nothing;
    models_.history.setState(next, tr("Clear filter"));
    if (models_.filter.isPending()) {
        models_.filter.apply();
    }
}

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
        return tr("Filter of %1 cleared for another kind of image").arg(cleared_);
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
