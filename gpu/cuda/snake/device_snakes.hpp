#pragma once

#include "base/job_control.hpp"
#include "snake/independent_snakes.hpp"
#include "snake/snake_job.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cuda {

struct SnakeHostInput;

/// A GPU algorithm for region snakes.
struct SnakeAlgorithm {
    std::string_view name;   ///< "one-kernel"
    std::string_view source; ///< paper or "Pollard"
    SnakeMoves moves;        ///< its states equal those of a SnakeRun with these moves

    /// Evolves one contour, see runSnakeOnDevice(). @param name of the algorithm, for messages
    SnakeState (*run)(const SnakeHostInput& input, const Contour& start, const std::string& name,
                      const SnakeListener& listener, const JobControl& control, std::vector<StageTime>& stages);
};

/// All algorithms, the default first.
[[nodiscard]] std::span<const SnakeAlgorithm> snakeAlgorithms() noexcept;

/// Evolves a contour on the GPU; see Engine::runSnake(). Stages "upload", "sums", "evolution". While the listener runs,
/// one-kernel continues until the memory for states is full.
/// @throws as pollard::runSnake(); Error(engineUnavailable) for moves that no algorithm makes, Error(outOfMemory),
///         Error(deviceFailed)
[[nodiscard]] SnakeResult runSnakeOnDevice(const SnakeJob& job, const SnakeListener& listener,
                                           const JobControl& control);

/// Evolves several independent contours, many at once, by one-kernel; see Engine::runIndependentSnakes().
/// Stages "upload", "sums", "evolution".
/// @throws as pollard::runIndependentSnakes(); Error(engineUnavailable) for other moves, Error(outOfMemory),
///         Error(deviceFailed)
[[nodiscard]] IndependentSnakesResult runIndependentSnakesOnDevice(const IndependentSnakesJob& job,
                                                                   const IndependentSnakesListener& listener,
                                                                   const JobControl& control);

} // namespace pollard::cuda
