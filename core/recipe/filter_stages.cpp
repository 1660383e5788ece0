#include "recipe/filter_stages.hpp"

#include <algorithm>
#include <utility>

namespace pollard {

RegionStep regionOf(const FilterStage& stage) {
    return stage.regionOn && !stage.region.shapes.empty() ? stage.region : RegionStep{};
}

FilterStages effectiveStages(std::span<const FilterStage> stages) {
    FilterStages effective;
    for (const FilterStage& stage : stages) {
        if (stage.on) {
            effective.push_back({regionOf(stage), true, stage.tree, stage.filter, true});
        }
    }
    return effective;
}

std::vector<RecipeStep> recipeStepsOf(std::span<const FilterStage> stages) {
    std::vector<RecipeStep> steps;
    RegionStep above;
    for (FilterStage& stage : effectiveStages(stages)) {
        if (stage.region != above) {
            above = stage.region;
            steps.emplace_back(std::move(stage.region));
        }
        steps.emplace_back(stage.tree);
        steps.emplace_back(FilterStep{std::move(stage.filter)});
    }
    return steps;
}

FilterStages stagesOf(const Recipe& recipe) {
    FilterStages stages;
    FilterStage next;
    for (const RecipeStep& step : recipe.steps) {
        if (const auto* region = std::get_if<RegionStep>(&step)) {
            next.region = *region;
        } else if (const auto* tree = std::get_if<TreeStep>(&step)) {
            next.tree = *tree;
        } else if (const auto* filter = std::get_if<FilterStep>(&step)) {
            next.filter = filter->filter;
            stages.push_back(next);
        }
    }
    return stages;
}

ResultValues resultValuesOf(std::span<const FilterStage> stages) noexcept {
    ResultValues values = ResultValues::levels;
    for (const FilterStage& stage : stages) {
        if (stage.on) {
            values = resultValuesAfter(values, stage.filter);
        }
    }
    return values;
}

void readForResults(const Recipe& recipe, ReadOptions& options) {
    const auto hasDifferences = [](const FilterSpec& filter) {
        return filter.rule == Rule::subtractive || filter.output == Output::residue;
    };
    const auto isOfStep = [&](const FilterStage& stage) { return hasDifferences(stage.filter); };
    const auto isOfChannel = [&](const RecipeChannel& channel) { return hasDifferences(channel.filter); };
    options.keepSamples = true;
    const bool ofChannels = !recipe.channels.empty() && (std::ranges::any_of(stagesOf(recipe), isOfStep) ||
                                                         std::ranges::any_of(recipe.channels, isOfChannel));
    options.mapping.proportional = options.mapping.proportional || ofChannels;
}

} // namespace pollard
