#include "options/recipe_argument.hpp"

#include "command.hpp"
#include "text.hpp"

#include "recipe/presets.hpp"

#include <string_view>
#include <vector>

namespace pollard::cli {

RecipeArgument recipeNamed(const std::string& text) {
    constexpr std::string_view kPresetPrefix = "preset:";
    if (!text.starts_with(kPresetPrefix)) {
        return {loadRecipe(text), text};
    }
    const std::string name = text.substr(kPresetPrefix.size());
    if (const Preset* preset = findPreset(name)) {
        return {preset->recipe, {}};
    }
    std::vector<std::string> names;
    for (const Preset& preset : allPresets()) {
        names.push_back(preset.name);
    }
    throw UsageError("preset: '" + name + "': unknown (there are " + joined(names, ", ") + ")");
}

} // namespace pollard::cli
