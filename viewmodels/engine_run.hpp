#pragma once

#include "contour_run.hpp"

#include "engine/engine.hpp"
#include "snake/snake_job.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace pollard::vm {

/// States of a contour on their way from the thread that an engine calls to the one that records them.
class ArrivingStates {
public:
    /// @return false if no more are wanted
    [[nodiscard]] bool add(const SnakeState& state);
    [[nodiscard]] std::vector<SnakeState> take();
    /// No more are wanted: the engine ends its run with the next one.
    void refuse();

private:
    std::mutex mutex_;
    std::vector<SnakeState> states_;
    bool refused_ = false;
};

/// How an engine's run ended.
struct EngineRunEnd {
    SnakeMoves moves = SnakeMoves::localBest; ///< the algorithm's
    bool finished = false;                    ///< nothing moves any more
    std::string notice;                       ///< why the CPU took over; empty if it did not
};

/// Evolves one contour with an engine up to its end. If its device fails or is too small, and no algorithm was named,
/// the CPU takes the same states.
/// @param known states from the start on that are not told again
/// @throws as Engine::runSnake()
[[nodiscard]] EngineRunEnd runOnEngine(Engine& engine, const SnakeJob& job, std::size_t known, ArrivingStates& arriving,
                                       const JobControl& control);

} // namespace pollard::vm
