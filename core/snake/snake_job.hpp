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

/// AlgorithmInfo::job of algorithms that evolve a contour.
inline constexpr std::string_view kSnakeJob = "snake";

/// A contour to evolve; see SnakeRun.
struct SnakeJob {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count; null: all
    Contour start;
    SnakeSpec spec;
    std::shared_ptr<const Mask> forbidden; ///< pixels that the contour may not contain; null: none
    std::string algorithm;                 ///< determines the moves; empty: the engine's default for SnakeSpec::moves
};

/// Called with every accepted state in order, the start first. @return false to end the run with this state
using SnakeListener = std::function<bool(const SnakeState&)>;

/// Result of a contour's evolution.
struct SnakeResult {
    std::string algorithm;
    SnakeMoves moves = SnakeMoves::localBest; ///< of the algorithm
    SnakeState state;                         ///< final state
    std::vector<StageTime> stages;
    double milliseconds = 0;
};

/// Evolves a contour on the CPU. Stages "sums" and "evolution", the latter including the listener's time.
/// @param listener may be empty
/// @throws Error(invalidArgument) as SnakeRun, and if the algorithm is not the name of a SnakeMoves; Cancelled
[[nodiscard]] SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener, const JobControl& control = {});

} // namespace pollard
