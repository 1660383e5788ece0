#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "recipe/recipe.hpp"

#include <cstdint>
#include <memory>

namespace pollard {

/// The pixels that a step forbids its contours, in a picture of this size; null if there are none.
/// @throws Error(invalidArgument) if they are those of a picture of another size; Cancelled
[[nodiscard]] std::shared_ptr<const Mask> forbiddenPixelsOf(const ContoursStep& step, std::uint32_t width,
                                                            std::uint32_t height, const JobControl& control = {});

} // namespace pollard
