#pragma once

#include "recipe/recipe.hpp"

#include <optional>

namespace pollard::vm {

/// What the filter panel can show of a recipe: one picture before and after one filter, or none.
struct WindowRecipe {
    std::optional<ReadStep> read; ///< empty: as the picture is open
    RegionStep region;
    TreeStep tree;
    FilterSpec filter;
};

/// Nothing if the recipe filters more than once.
[[nodiscard]] std::optional<WindowRecipe> windowRecipeOf(const Recipe& recipe);

} // namespace pollard::vm
