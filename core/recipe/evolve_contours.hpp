#pragma once

#include "base/job_control.hpp"
#include "snake/snake_job.hpp"

namespace pollard {

class Engine;

/// Evolves contours to their end, as Engine::runSnake().
/// @param engine null: the CPU
/// @param listener may be empty; told the states of independent contours when all are done, one contour after another
/// @throws as Engine::runSnake()
[[nodiscard]] SnakeResult evolveContours(const SnakeJob& job, Engine* engine, const SnakeListener& listener,
                                         const JobControl& control = {});

} // namespace pollard
