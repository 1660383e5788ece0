#pragma once

#include "base/error.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/recipe.hpp"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class EditHistory;
class FilterViewModel;
class RegionViewModel;

/// The part of a recipe that the window shows: one image before and after filters, the last of which is the current
/// one.
struct WindowRecipe {
    std::optional<ReadStep> read; ///< empty: as the open image is read
    FilterStages stages;          ///< at least one, the last a filter
};

[[nodiscard]] WindowRecipe windowRecipeOf(const Recipe& recipe);

/// The stages, followed by a filter that keeps everything if the last one is an operator.
[[nodiscard]] FilterStages withFilter(FilterStages stages);

/// The models of filters; all must outlive the user of this struct.
struct FilterModels {
    DocumentViewModel& document;
    FilterViewModel& filter;
    RegionViewModel& region;
    EditHistory& history;
};

/// Earlier filters, then the current one.
[[nodiscard]] FilterStages presentStages(const FilterModels& models);

/// Applies filters as one undo entry and one change of the image.
/// @param stages at least one; a region of the last one that is off is left out
void takeStages(const FilterStages& stages, const FilterModels& models, const QString& text);

/// Why they cannot form a recipe, one line for the user; empty if they can.
[[nodiscard]] QString problemOf(const FilterStages& stages);

/// A step of a filter or operator as a row of a recipe.
struct StageRow {
    RecipeStep step; ///< region, tree, filter or operator
    bool on = true;
    std::size_t stage = 0;
    std::string channel = {}; ///< key of a channel that is not displayed, whose filter this is; empty: the others

    bool operator==(const StageRow&) const = default;
};

// Pure functions that change filters by their rows. A region has a row if it differs from the region above, and then
// applies to all filters below it up to the next row with a region.

[[nodiscard]] std::vector<StageRow> rowsOf(const FilterStages& stages);

/// Replaces the step of a row. @param step of the same kind
[[nodiscard]] FilterStages withStep(FilterStages stages, const StageRow& row, const RecipeStep& step);

/// Switches the region or the filter of a row.
[[nodiscard]] FilterStages switched(FilterStages stages, const StageRow& row, bool on);

/// Removes a filter or an operator, or replaces the region of a row by the one above.
[[nodiscard]] FilterStages without(FilterStages stages, const StageRow& row);

} // namespace pollard::vm
