// Any text as a recipe: an error in one line, or a recipe whose text form parses to the same recipe and is stable.
#include "base/error.hpp"
#include "promise.hpp"
#include "recipe/recipe.hpp"

#include <cstdint>
#include <string>
#include <string_view>

using pollard::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const pollard::Recipe recipe = pollard::parseRecipe(text);
        const std::string written = pollard::toJson(recipe);
        const pollard::Recipe again = pollard::parseRecipe(written);
        require(again == recipe, "the text of a recipe reads back to it");
        require(pollard::toJson(again) == written, "a recipe is always written the same");
    } catch (const pollard::Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
    return 0;
}
