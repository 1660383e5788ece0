#include "window_recipe.hpp"

#include <utility>
#include <variant>

namespace pollard::vm {

std::optional<WindowRecipe> windowRecipeOf(const Recipe& recipe) {
    WindowRecipe window;
    int filters = 0;
    for (const RecipeStep& step : recipe.steps) {
        if (const auto* filter = std::get_if<FilterStep>(&step)) {
            window.filter = filter->filter;
            ++filters;
        } else if (filters > 0 || std::holds_alternative<ObjectsStep>(step) ||
                   std::holds_alternative<ContoursStep>(step)) {
            continue; // no filter follows it, or there are too many
        } else if (const auto* read = std::get_if<ReadStep>(&step)) {
            window.read = *read;
        } else if (const auto* region = std::get_if<RegionStep>(&step)) {
            window.region = *region;
        } else {
            window.tree = std::get<TreeStep>(step);
        }
    }
    return filters <= 1 ? std::optional(std::move(window)) : std::nullopt;
}

} // namespace pollard::vm
