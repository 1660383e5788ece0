#pragma once

#include "base/job_control.hpp"
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
    SnakeMoves moves;        ///< the states equal the states of a SnakeRun with these moves

    /// Evolves one contour on the whole image, see runSnakeOnDevice(). @param name of the algorithm, for messages
    SnakeState (*run)(const SnakeHostInput& input, const Contour& start, const std::string& name,
                      const SnakeListener& listener, const JobControl& control, std::vector<StageTime>& stages);
};

/// All algorithms, the default first.
[[nodiscard]] std::span<const SnakeAlgorithm> snakeAlgorithms() noexcept;

/// Evolves a contour on the GPU, or several independent ones, many at once, by one-kernel; see Engine::runSnake().
/// Stages "upload", "sums", "evolution". While the listener of a single contour runs, one-kernel continues until the
/// memory for states is full.
/// @param job one start, unless it has parts
/// @throws as pollard::runSnake(); Error(engineUnavailable) for moves that no algorithm makes or, with parts, that
///         one-kernel does not make, Error(outOfMemory), Error(deviceFailed)
[[nodiscard]] SnakeResult runSnakeOnDevice(const SnakeJob& job, const SnakeListener& listener,
                                           const JobControl& control);

} // namespace pollard::cuda
