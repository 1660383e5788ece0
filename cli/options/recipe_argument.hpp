#pragma once

#include "recipe/recipe.hpp"

#include <string>

namespace pollard::cli {

/// A recipe named on a command line.
struct RecipeArgument {
    Recipe recipe;
    std::string file; ///< empty for a preset
};

/// Reads a recipe file, or finds the preset of `preset:NAME`.
/// @throws UsageError for an unknown preset; Error as loadRecipe()
[[nodiscard]] RecipeArgument recipeNamed(const std::string& text);

} // namespace pollard::cli
