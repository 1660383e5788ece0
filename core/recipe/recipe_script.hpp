#pragma once

#include "io/image_file.hpp"
#include "recipe/recipe.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// An image of a script.
struct ScriptImage {
    std::filesystem::path path;
    int page = 0; ///< 0-based; 0: the page of the recipe
};

/// What a script does.
struct ScriptWork {
    Recipe recipe;
    std::vector<ScriptImage> images;         ///< at least one
    std::optional<PixelSize> pixelSize = {}; ///< replaces the sizes that the files and the recipe state
    std::string folder = "results";          ///< for the files of the recipe
    /// Work that the recipe does not have, a sentence each. The script begins with it as comments.
    std::vector<std::string> missing = {};
};

/// Lines for a POSIX shell that do the work. A filter, or the objects of an image, of one file is the command `filter`
/// or `components` if it has options for all parameters; its result is in the present folder. All other work is a
/// recipe in a here-document, and `run`.
[[nodiscard]] std::string shellScript(const ScriptWork& work);

/// A script for Python that writes the files of `pollard-cli run`.
[[nodiscard]] std::string pythonScript(const ScriptWork& work);

/// An argument for a POSIX shell, quoted if necessary.
[[nodiscard]] std::string shellQuoted(std::string_view argument);

} // namespace pollard
