#pragma once

#include "base/error.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/recipe.hpp"

#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class EditHistory;
class FilterViewModel;
class RegionViewModel;

/// What the window shows of a recipe: one picture before and after filters, the last of which is the one at hand.
struct WindowRecipe {
    std::optional<ReadStep> read; ///< empty: as the picture is open
    FilterStages stages;          ///< one at least
};

/// @param recipe filters once at least
[[nodiscard]] WindowRecipe windowRecipeOf(const Recipe& recipe);

/// The models that filters are of; all must outlive whoever keeps it.
struct FilterModels {
    DocumentViewModel& document;
    FilterViewModel& filter;
    RegionViewModel& region;
    EditHistory& history;
};

/// Earlier filters, and last the one at hand.
[[nodiscard]] FilterStages presentStages(const FilterModels& models);

/// Takes them over as one entry of undo, and one change of the picture.
/// @param stages one at least; the region of the last one that is off is left out
void takeStages(const FilterStages& stages, const FilterModels& models, const QString& text);

/// Why no recipe can consist of them, one line for a person; empty if one can.
[[nodiscard]] QString problemOf(const FilterStages& stages);

/// What is wrong with a recipe, without the kind of file that it is about.
[[nodiscard]] QString reasonOf(const std::string& message);

} // namespace pollard::vm
