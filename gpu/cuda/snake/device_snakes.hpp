#pragma once

#include "base/job_control.hpp"
#include "snake/apart_snakes.hpp"
#include "snake/snake_job.hpp"

#include <span>
#include <string_view>

namespace pollard::cuda {

/// An algorithm that moves a contour.
struct SnakeAlgorithm {
    std::string_view name;   ///< "one-kernel"
    std::string_view source; ///< paper or "Pollard"
    SnakeMoves moves;        ///< it takes the states of a SnakeRun with these
};

/// All of them, the default first.
[[nodiscard]] std::span<const SnakeAlgorithm> snakeAlgorithms() noexcept;

/// Evolves a contour on the GPU; see Engine::runSnake(). Stages "upload", "sums", "evolution". While the listener works
/// or waits, one-kernel goes on until the memory for states is full, then the GPU rests.
/// @throws as pollard::runSnake(); Error(engineUnavailable) for moves that no algorithm makes, Error(outOfMemory),
///         Error(deviceFailed)
[[nodiscard]] SnakeResult runSnakeOnDevice(const SnakeJob& job, const SnakeListener& listener,
                                           const JobControl& control);

/// Evolves contours apart from each other, many at once, with the moves of one-kernel; see Engine::runApartSnakes().
/// Stages "upload", "sums", "evolution".
/// @throws as pollard::runApartSnakes(); Error(engineUnavailable) for other moves, Error(outOfMemory),
///         Error(deviceFailed)
[[nodiscard]] ApartSnakesResult runApartSnakesOnDevice(const ApartSnakesJob& job, const ApartSnakesListener& listener,
                                                       const JobControl& control);

} // namespace pollard::cuda
