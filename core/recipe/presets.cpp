#include "recipe/presets.hpp"

#include <algorithm>
#include <vector>

namespace pollard {

std::span<const Preset> allPresets() {
    static const std::vector<Preset> kPresets = [] {
        std::vector<Preset> presets;
        for (const PresetText& text : presetTexts()) {
            presets.push_back({std::string(text.name), parseRecipe(text.json)});
        }
        std::ranges::sort(presets, {}, [](const Preset& preset) -> const std::string& { return preset.recipe.name; });
        return presets;
    }();
    return kPresets;
}

const Preset* findPreset(std::string_view name) {
    const std::span<const Preset> all = allPresets();
    const auto found = std::ranges::find(all, name, &Preset::name);
    return found == all.end() ? nullptr : &*found;
}

} // namespace pollard
