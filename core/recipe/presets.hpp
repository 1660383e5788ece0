#pragma once

#include "recipe/recipe.hpp"

#include <span>
#include <string>
#include <string_view>

namespace pollard {

/// A file of resources/presets as it was when the program was built.
struct PresetText {
    std::string_view name; ///< of the file, without its extension
    std::string_view json;
};

/// All presets, sorted by name.
[[nodiscard]] std::span<const PresetText> presetTexts() noexcept;

/// A recipe that comes with the program.
struct Preset {
    std::string name; ///< for command lines: "uneven-background"
    Recipe recipe;
};

/// All presets, in the order of a menu. They are parsed on the first call.
[[nodiscard]] std::span<const Preset> allPresets();

/// Null if there is none of this name.
[[nodiscard]] const Preset* findPreset(std::string_view name);

} // namespace pollard
