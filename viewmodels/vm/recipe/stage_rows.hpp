#pragma once

#include "recipe/filter_stages.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace pollard::vm {

/// A step of a filter as a row of a recipe.
struct StageRow {
    RecipeStep step; ///< region, tree or filter
    bool on = true;
    std::size_t stage = 0;
    std::string channel = {}; ///< key of a channel that is not displayed, whose filter this is; empty: the others

    bool operator==(const StageRow&) const = default;
};

// Pure functions that change filters by their rows. A region has a row where it differs from the one above, and then
// applies to all filters below it up to the next row with a region.

[[nodiscard]] std::vector<StageRow> rowsOf(const FilterStages& stages);

/// Replaces the step of a row. @param step of the same kind
[[nodiscard]] FilterStages withStep(FilterStages stages, const StageRow& row, const RecipeStep& step);

/// Switches the region or the filter of a row.
[[nodiscard]] FilterStages switched(FilterStages stages, const StageRow& row, bool on);

/// Removes a filter, or replaces the region of a row by the one above.
[[nodiscard]] FilterStages without(FilterStages stages, const StageRow& row);

} // namespace pollard::vm
