#pragma once

#include "recipe/recipe.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pollard::cli {

/// Expands the inputs of a batch to images, in order: a folder to its files with the extensions of readable formats,
/// not recursively; a path with * or ? in its last part, unless such a file exists, to the matching files; both sorted
/// by name. Other inputs stay unchanged.
/// @throws UsageError for a folder or a pattern without images; Error(fileUnreadable) for an unreadable folder
[[nodiscard]] std::vector<std::string> expandInputs(const std::vector<std::string>& inputs);

/// The files of a folder or a pattern as the slices of a volume, in the order of the numbers in their names: a2 before
/// a10. Nothing for the path of a file.
/// @throws as expandInputs()
[[nodiscard]] std::vector<std::filesystem::path> slicesNamed(const std::filesystem::path& path);

/// A recipe named on a command line.
struct RecipeArgument {
    Recipe recipe;
    std::string file; ///< empty for a preset
};
/// Reads a recipe file, or finds the preset of `preset:NAME`.
/// @throws UsageError for an unknown preset; Error as loadRecipe()
[[nodiscard]] RecipeArgument recipeNamed(const std::string& text);

} // namespace pollard::cli
