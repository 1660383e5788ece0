#include "vm/recipe/earlier_filters.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/recipe/recipe_view_model.hpp"
#include "vm/session/edit_history.hpp"

namespace pollard::vm {

EarlierFilters::EarlierFilters(const FilterModels& models, QObject* parent) : QObject(parent), models_(models) {
    const DocumentViewModel& document = models_.document;
    connect(&document.choices(), &DocumentChoices::earlierFiltersChanged, this, &EarlierFilters::changed);
    connect(&document, &DocumentViewModel::hasImageChanged, this, &EarlierFilters::changed);
    connect(&models_.filter, &FilterViewModel::specChanged, this, &EarlierFilters::changed);
}

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
    const int filters = count();
    return !models_.document.hasImage() || filters == 0 ? QString()
           : filters == 1                               ? tr("Works on the result of one filter")
                                                        : tr("Works on the result of %1 filters").arg(filters);
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

} // namespace pollard::vm
