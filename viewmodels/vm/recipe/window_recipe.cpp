#include "vm/recipe/window_recipe.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"

#include <utility>
#include <variant>

namespace pollard::vm {

WindowRecipe windowRecipeOf(const Recipe& recipe) {
    WindowRecipe window{{}, stagesOf(recipe)};
    if (window.stages.empty()) { // a recipe of objects or contours only: the filter keeps everything
        Recipe filtering = recipe;
        filtering.steps.emplace_back(FilterStep{});
        window.stages = stagesOf(filtering);
    }
    if (!recipe.steps.empty()) {
        if (const auto* read = std::get_if<ReadStep>(&recipe.steps.front())) {
            window.read = *read;
        }
    }
    return window;
}

FilterStages presentStages(const FilterModels& models) {
    const SessionSettings settings = models.history.state();
    FilterStages stages = settings.earlier;
    stages.push_back({settings.region, true, settings.tree, models.filter.spec(), settings.filter.enabled});
    return stages;
}

void takeStages(const FilterStages& stages, const FilterModels& models, const QString& text) {
    const bool comesOn = stages.back().on && !models.filter.isEnabled(); // criteria of one that is off are not listed
    const bool otherFilter = comesOn || stages.back().filter != models.filter.spec();
    const EditHistory::Group group(models.history, text);
    const DocumentChoices::Hold together(models.document.choices());
    const FilterStage& last = stages.back();
    models.document.choices().setTree(last.tree);
    models.document.choices().setEarlierFilters({stages.begin(), stages.end() - 1});
    FilterViewModel& filter = models.filter;
    if (otherFilter) {
        filter.setSpec(last.filter);
    }
    filter.setEnabled(last.on);
    const RegionStep region = regionOf(last);
    const RegionViewModel::State& present = models.region.state();
    if (region.shapes != present.shapes || region.inverted != present.inverted) {
        models.region.setState({region.shapes, -1, region.inverted});
    }
    if (filter.isPending()) {
        filter.apply();
    }
}

QString problemOf(const FilterStages& stages) {
    try {
        FilterStages all = stages;
        for (FilterStage& stage : all) {
            stage.on = stage.regionOn = true; // those that are off may be switched on later
        }
        Recipe recipe{"window", {}, {}, recipeStepsOf(all)};
        recipe.steps.insert(recipe.steps.begin(), ReadStep{}); // included in the numbers of steps
        (void)parseRecipe(toJson(recipe));
        return {};
    } catch (const Error& error) {
        return reasonOf(error.what());
    }
}

QString reasonOf(const std::string& message) {
    const QString text = QString::fromStdString(message);
    const QString prefix = QStringLiteral("recipe: ");
    return text.startsWith(prefix) ? text.mid(prefix.size()) : text;
}

} // namespace pollard::vm
