#pragma once

#include <span>
#include <string_view>

namespace pollard {

/// A file of resources/presets as it was when the program was built.
struct PresetText {
    std::string_view name; ///< of the file, without its extension
    std::string_view json;
};

/// All of them by name.
[[nodiscard]] std::span<const PresetText> presetTexts() noexcept;

} // namespace pollard
