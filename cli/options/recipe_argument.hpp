#pragma once

#include "recipe/recipe.hpp"

#include <string>

namespace pollard::cli {

/// A recipe as it is named on a command line.
struct RecipeArgument {
    Recipe recipe;
    std::string file; ///< empty for a preset
};

/// Reads a recipe file, or finds the preset of `preset:NAME`.
/// @throws UsageError for a preset that does not exist; Error as loadRecipe()
[[nodiscard]] RecipeArgument recipeNamed(const std::string& text);

} // namespace pollard::cli
