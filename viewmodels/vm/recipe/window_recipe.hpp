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

/// The part of a recipe that the window shows: one picture before and after filters, the last of which is the current
/// one.
struct WindowRecipe {
    std::optional<ReadStep> read; ///< empty: as the open picture is read
    FilterStages stages;          ///< at least one
};

/// @param recipe with at least one filter
[[nodiscard]] WindowRecipe windowRecipeOf(const Recipe& recipe);

/// The models of filters; all must outlive the user of this struct.
struct FilterModels {
    DocumentViewModel& document;
    FilterViewModel& filter;
    RegionViewModel& region;
    EditHistory& history;
};

/// Earlier filters, then the current one.
[[nodiscard]] FilterStages presentStages(const FilterModels& models);

/// Applies filters as one undo entry and one change of the picture.
/// @param stages at least one; a region of the last one that is off is left out
void takeStages(const FilterStages& stages, const FilterModels& models, const QString& text);

/// Why they cannot form a recipe, one line for the user; empty if they can.
[[nodiscard]] QString problemOf(const FilterStages& stages);

/// The error in a recipe, without the prefix for the kind of file.
[[nodiscard]] QString reasonOf(const std::string& message);

} // namespace pollard::vm
