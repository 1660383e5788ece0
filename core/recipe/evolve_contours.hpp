#pragma once

#include "base/job_control.hpp"
#include "image/mask.hpp"
#include "recipe/recipe.hpp"
#include "snake/snake_job.hpp"

#include <cstdint>
#include <memory>

namespace pollard {

class Engine;

/// Evolves contours to their end, as Engine::runSnake().
/// @param engine null: the CPU
/// @param listener may be empty; receives the states of independent contours when all have ended, one contour after
/// another
/// @throws as Engine::runSnake()
[[nodiscard]] SnakeResult evolveContours(const SnakeJob& job, Engine* engine, const SnakeListener& listener,
                                         const JobControl& control = {});

/// @throws Error(invalidArgument) if the step forbids pixels of an image of another size
void requireForbiddenOf(const ContoursStep& step, std::uint32_t width, std::uint32_t height);

/// The pixels that contours of a step may not contain, for an image of this size; null if there are none.
/// @throws as requireForbiddenOf(); Cancelled
[[nodiscard]] std::shared_ptr<const Mask> forbiddenPixelsOf(const ContoursStep& step, std::uint32_t width,
                                                            std::uint32_t height, const JobControl& control = {});

} // namespace pollard
