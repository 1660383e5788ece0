#pragma once

#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"
#include "recipe/recipe.hpp"
#include "recipe/result_tags.hpp"

#include <span>
#include <vector>

namespace pollard {

/// A filter with the pixels and the tree that it works on, as one of several that follow each other.
struct FilterStage {
    RegionStep region;    ///< without shapes: all pixels
    bool regionOn = true; ///< off: all pixels, whatever the shapes
    TreeStep tree;
    FilterSpec filter;
    bool on = true; ///< off: the next one gets the image unchanged

    bool operator==(const FilterStage&) const = default;
};

/// Filters, each of which works on the image that the one before left; the first on the image that was read.
using FilterStages = std::vector<FilterStage>;

/// The region that counts; without shapes if it is off.
[[nodiscard]] RegionStep regionOf(const FilterStage& stage);

/// Those that are on, with the regions that count: two lists that give the same image for this reason are equal.
[[nodiscard]] FilterStages effectiveStages(std::span<const FilterStage> stages);

/// Those that are on as the steps of a recipe: a tree and a filter each, and a region where it is another one than
/// above.
[[nodiscard]] std::vector<RecipeStep> recipeStepsOf(std::span<const FilterStage> stages);

/// The filters of a recipe, each with region and tree as they stand above it. Steps after the last filter are left out.
[[nodiscard]] FilterStages stagesOf(const Recipe& recipe);

/// Meaning of the values after the active stages, compared with those of the image that was read.
[[nodiscard]] ResultValues resultValuesOf(std::span<const FilterStage> stages) noexcept;

/// Sets what the results of a recipe need of its image: the samples, and levels at the distances of their values if
/// results of several channels have differences of them.
void readForResults(const Recipe& recipe, ReadOptions& options);

} // namespace pollard
