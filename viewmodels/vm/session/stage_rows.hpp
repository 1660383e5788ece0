#pragma once

#include "recipe/filter_stages.hpp"

#include <cstddef>
#include <vector>

namespace pollard::vm {

/// A step of a filter as a row of a recipe.
struct StageRow {
    RecipeStep step; ///< region, tree or filter
    bool on = true;
    std::size_t stage = 0;

    bool operator==(const StageRow&) const = default;
};

// Pure functions that change filters by their rows. A region has a row where it is another one than above, and is then
// that of all filters below it up to the next one with a row.

[[nodiscard]] std::vector<StageRow> rowsOf(const FilterStages& stages);

/// With another step in place of a row. @param step of the same kind
[[nodiscard]] FilterStages withStep(FilterStages stages, const StageRow& row, const RecipeStep& step);

/// With the region or the filter of a row on or off.
[[nodiscard]] FilterStages switched(FilterStages stages, const StageRow& row, bool on);

/// Without a filter, or with the region from above in place of that of a row.
[[nodiscard]] FilterStages without(FilterStages stages, const StageRow& row);

} // namespace pollard::vm
