#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "recipe/recipe.hpp"

#include <cstdint>
#include <memory>

namespace pollard {

/// @throws Error(invalidArgument) if the step forbids pixels of an image of another size
void requireForbiddenOf(const ContoursStep& step, std::uint32_t width, std::uint32_t height);

/// The pixels that a step forbids its contours, in an image of this size; null if there are none.
/// @throws as requireForbiddenOf(); Cancelled
[[nodiscard]] std::shared_ptr<const Mask> forbiddenPixelsOf(const ContoursStep& step, std::uint32_t width,
                                                            std::uint32_t height, const JobControl& control = {});

} // namespace pollard
