#include "recipe/recipe_channels.hpp"

#include "base/error.hpp"
#include "channels/derivation.hpp"
#include "io/channels.hpp"

#include <variant>

namespace pollard {

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

/// The filters alone, the last one replaced.
Recipe recipeWith(const FilterSpec& filter, const Recipe& recipe) {
    Recipe own{recipe.name, {}, {}, recipe.steps};
    std::erase_if(own.steps, [](const RecipeStep& step) {
        return std::holds_alternative<ObjectsStep>(step) || std::holds_alternative<ContoursStep>(step);
    });
    if (FilterStep* const last = lastFilter(own)) {
        last->filter = filter;
    } else {
        own.steps.emplace_back(FilterStep{filter});
    }
    return own;
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
    Recipe own = recipe;
    if (const FilterStep* const last = lastFilter(own)) {
        requireImage(last->filter, channels[*stored].name);
    }
    return recipes;
}

} // namespace pollard
