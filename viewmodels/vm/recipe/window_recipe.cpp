#include "vm/recipe/window_recipe.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"

#include <utility>
#include <variant>

namespace pollard::vm {
namespace {

/// The region of a filter and its switch. No region: the same for both states of the switch.
std::pair<RegionStep, bool> placeOf(const FilterStage& stage) {
    return stage.region.shapes.empty() ? std::pair(RegionStep{}, true) : std::pair(stage.region, stage.regionOn);
}

std::pair<RegionStep, bool> above(const FilterStages& stages, std::size_t stage) {
    return stage == 0 ? std::pair(RegionStep{}, true) : placeOf(stages[stage - 1]);
}

/// Replaces the region of all filters that share the region of a row.
void setRegion(FilterStages& stages, std::size_t first, const RegionStep& region, bool on) {
    const std::pair<RegionStep, bool> before = placeOf(stages[first]);
    for (std::size_t i = first; i < stages.size() && placeOf(stages[i]) == before; ++i) {
        stages[i].region = region;
        stages[i].regionOn = on;
    }
}

} // namespace

WindowRecipe windowRecipeOf(const Recipe& recipe) {
    WindowRecipe window{{}, stagesOf(recipe)};
    if (window.stages.empty() || window.stages.back().operation) { // the current filter keeps everything
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

FilterStages withFilter(FilterStages stages) {
    if (stages.back().operation) {
        const FilterStage& last = stages.back();
        stages.push_back({last.region, last.regionOn, last.tree, {}, true});
    }
    return stages;
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
            stage.on = stage.regionOn = true; // filters that are off may be switched on later
        }
        Recipe recipe{"window", {}, {}, recipeStepsOf(all)};
        recipe.steps.insert(recipe.steps.begin(), ReadStep{}); // included in the numbers of steps
        (void)parseRecipe(toJson(recipe));
        return {};
    } catch (const Error& error) {
        return reasonOf(error.what(), "recipe");
    }
}

std::vector<StageRow> rowsOf(const FilterStages& stages) {
    std::vector<StageRow> rows;
    const auto add = [&rows](const auto& step, bool on, std::size_t stage) {
        StageRow& row = rows.emplace_back();
        row.step = step;
        row.on = on;
        row.stage = stage;
    };
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const FilterStage& stage = stages[i];
        const auto place = placeOf(stage);
        const auto before = above(stages, i);
        const bool noneEither = place.first.shapes.empty() && !before.second; // no region, below one that is off
        if (place != before && !noneEither) {
            add(place.first, place.second, i);
        }
        if (stage.operation) {
            add(OperatorStep{*stage.operation}, stage.on, i);
            continue;
        }
        add(stage.tree, true, i);
        add(FilterStep{stage.filter}, stage.on, i);
    }
    return rows;
}

FilterStages withStep(FilterStages stages, const StageRow& row, const RecipeStep& step) {
    FilterStage& stage = stages[row.stage];
    if (const auto* region = std::get_if<RegionStep>(&step)) {
        setRegion(stages, row.stage, *region, row.on);
    } else if (const auto* tree = std::get_if<TreeStep>(&step)) {
        stage.tree = *tree;
    } else if (const auto* filter = std::get_if<FilterStep>(&step)) {
        stage.filter = filter->filter;
    } else if (const auto* made = std::get_if<OperatorStep>(&step)) {
        stage.operation = made->spec;
    }
    return stages;
}

FilterStages switched(FilterStages stages, const StageRow& row, bool on) {
    if (const auto* region = std::get_if<RegionStep>(&row.step)) {
        setRegion(stages, row.stage, *region, on);
    } else {
        stages[row.stage].on = on;
    }
    return stages;
}

FilterStages without(FilterStages stages, const StageRow& row) {
    if (std::holds_alternative<RegionStep>(row.step)) {
        const auto [region, on] = above(stages, row.stage);
        setRegion(stages, row.stage, region, on);
    } else {
        stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(row.stage));
    }
    return stages;
}

} // namespace pollard::vm
