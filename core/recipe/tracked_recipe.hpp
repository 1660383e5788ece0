#pragma once

#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "recipe/run_recipe.hpp"

#include <stop_token>

namespace pollard {

[[nodiscard]] bool findsObjects(const Recipe& recipe) noexcept;

/// Steps for every image of a sequence whose objects are followed: a recipe up to its last step of objects, whichever
/// were taken out by hand. If it has no such step, the objects are those that a rule finds in the result of its
/// filters. Contours are left out.
[[nodiscard]] Recipe trackedRecipe(const Recipe& recipe, const ObjectRule& otherwise);

/// The objects of one of the images that meet the condition and the border rule of the step. @param tracked of
/// trackedRecipe()
/// @throws as runRecipe()
[[nodiscard]] Components trackedObjects(const Recipe& tracked, const LoadedImage& loaded, Engine& engine,
                                        const SessionOptions& options = {}, const std::stop_token& stop = {},
                                        const JobControl::ProgressFunction& progress = {});

} // namespace pollard
