#pragma once

#include "base/stage_timer.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/snake_run.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// AlgorithmInfo::job of the algorithms that move a contour.
inline constexpr std::string_view kSnakeJob = "snake";

/// A contour that is to evolve; see SnakeRun.
struct SnakeJob {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count; null for all
    Contour start;
    SnakeSpec spec;
    std::shared_ptr<const Mask> forbidden; ///< pixels that the contour may not hold; null for none
    std::string algorithm; ///< it decides on the moves; empty: the engine's own for the moves of the spec
};

/// Is told of every accepted state, the start first, in their order. @return false to end the run with this state
using SnakeListener = std::function<bool(const SnakeState&)>;

/// How a contour evolved.
struct SnakeResult {
    std::string algorithm;
    SnakeMoves moves = SnakeMoves::localBest; ///< the algorithm's
    SnakeState state;                         ///< the last one
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// Evolves a contour on the CPU. Stages "sums" and "evolution", the latter with the time that the listener takes.
/// @param listener may be empty
/// @throws Error(invalidArgument) as SnakeRun, and for an algorithm that is no name of SnakeMoves; Cancelled
[[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener, const JobControl& control = {});

} // namespace pollard
