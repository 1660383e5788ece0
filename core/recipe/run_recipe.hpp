#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "image/label_image.hpp"
#include "io/image_file.hpp"
#include "io/result_tags.hpp"
#include "recipe/recipe.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace pollard {

/// What one filter of a recipe did.
struct FilterStepReport {
    std::size_t step = 0; ///< 0-based, of Recipe::steps
    TreeReport tree;
    FilterReport filter;
};

/// What a recipe made of an image, in its size.
struct RecipeResult {
    std::shared_ptr<const Image> image; ///< null if the last step gives labels
    std::optional<LabelImage> labelled; ///< set if it does
    ResultValues values = ResultValues::levels;
    std::vector<FilterStepReport> filters; ///< in their order
};

/// Runs a recipe on an image that was read as readOptionsOf() says. Every filter works on the picture that the one
/// before left, in a session of its own on @p engine; pixels without data take no part and stay as
/// restoreOutside() says, or without a label.
/// @param progress as JobControl's, over all steps; may be empty
/// @throws Error naming the step that failed; Cancelled
[[nodiscard]] RecipeResult runRecipe(const Recipe& recipe, const LoadedImage& loaded, Engine& engine,
                                     const SessionOptions& options = {}, const std::stop_token& stop = {},
                                     const JobControl::ProgressFunction& progress = {});

} // namespace pollard
