#include "recipe/filter_stages.hpp"

#include "base/error.hpp"
#include "channels/derivation.hpp"
#include "io/channels.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace pollard {

RegionStep regionOf(const FilterStage& stage) {
    return stage.regionOn && !stage.region.shapes.empty() ? stage.region : RegionStep{};
}

FilterStages effectiveStages(std::span<const FilterStage> stages) {
    FilterStages effective;
    for (const FilterStage& stage : stages) {
        if (stage.on && stage.operation) {
            effective.push_back({regionOf(stage), true, {}, {}, true, stage.operation});
        } else if (stage.on) {
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
        if (stage.operation) {
            steps.emplace_back(OperatorStep{std::move(*stage.operation)});
            continue;
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
        } else if (const auto* made = std::get_if<OperatorStep>(&step)) {
            stages.push_back({next.region, true, next.tree, {}, true, made->spec});
        }
    }
    return stages;
}

ResultValues resultValuesOf(std::span<const FilterStage> stages) noexcept {
    ResultValues values = ResultValues::levels;
    for (const FilterStage& stage : stages) {
        if (stage.on) {
            values = stage.operation ? resultValuesAfter(values, valuesOf(stage.operation->kind))
                                     : resultValuesAfter(values, stage.filter);
        }
    }
    return values;
}

bool givesLengths(std::span<const FilterStage> stages) noexcept {
    bool areLengths = false;
    for (const FilterStage& stage : stages) {
        if (stage.on && stage.operation) {
            const OperatorValues values = valuesOf(stage.operation->kind);
            areLengths = values == OperatorValues::lengths || (areLengths && values != OperatorValues::flags);
        }
    }
    return areLengths && resultValuesOf(stages) != ResultValues::others;
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

namespace {

using Kind = ChannelChoice::Kind;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalidArgument, "channels: " + why); }

FilterStep* lastFilter(Recipe& recipe) {
    FilterStep* last = nullptr;
    for (RecipeStep& step : recipe.steps) {
        if (auto* const filter = std::get_if<FilterStep>(&step)) {
            last = filter;
        }
    }
    return last;
}

/// The steps of the filters only, with another last filter.
Recipe recipeWith(const FilterSpec& filter, const Recipe& recipe) {
    Recipe derived{recipe.name, {}, {}, recipe.steps};
    std::erase_if(derived.steps, [](const RecipeStep& step) {
        return std::holds_alternative<ObjectsStep>(step) || std::holds_alternative<ContoursStep>(step);
    });
    if (FilterStep* const last = lastFilter(derived)) {
        last->filter = filter;
    } else {
        derived.steps.emplace_back(FilterStep{filter});
    }
    return derived;
}

void requireImage(const FilterSpec& filter, const std::string& channel) {
    if (filter.output == Output::labels) {
        refuse(channel + ": labels number the components of one channel, but the result has several; choose another "
                         "output");
    }
}

} // namespace

std::optional<std::size_t> recipeChannel(const std::string& channel, const ImageInfo& info,
                                         std::span<const Channel> channels) {
    if (const auto found = findChannel(channels, channel)) {
        return found;
    }
    if (Derivation::isExpression(channel)) {
        (void)Derivation::parse(channel).inputs(channels);
    } else if (channel != ChannelChoice{}.text() || !hasColours(info)) {
        return channelNamed(channels, channel);
    }
    return std::nullopt;
}

std::optional<ChannelRecipes> recipesOfChannels(const Recipe& recipe, const ChannelChoice& read,
                                                const ImageInfo& info) {
    const std::optional<std::size_t> stored = storedChannel(read, info);
    if (recipe.channels.empty()) {
        return std::nullopt;
    }
    const std::vector<Channel> channels = channelsOf(info);
    ChannelRecipes recipes;
    recipes.read = stored.value_or(channels.size());
    for (const auto& [channel, filter] : recipe.channels) {
        std::optional<std::size_t> index;
        try {
            index = recipeChannel(channel, info, channels);
        } catch (const Error& error) {
            refuse(error.what());
        }
        if (!index) {
            recipes.computed.push_back(channel);
        } else if (index == stored) {
            refuse(channel + ": this channel is read, and its filter is that of the steps");
        } else if (!recipes.others.emplace(*index, recipeWith(filter, recipe)).second) {
            refuse(channel + ": stands twice");
        }
        if (stored) {
            requireImage(filter, channel);
        }
    }
    if (!stored) {
        return std::nullopt;
    }
    Recipe copy = recipe;
    if (const FilterStep* const last = lastFilter(copy)) {
        requireImage(last->filter, channels[*stored].name);
    }
    return recipes;
}

} // namespace pollard
