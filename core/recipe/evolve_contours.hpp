#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/snake_run.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

class Engine;

/// Contours that are to evolve on one image: a single one as a SnakeRun, several as a SnakeGroup, or each by itself.
struct EvolutionJob {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> valid; ///< pixels that count; null for all
    std::vector<Contour> starts;       ///< one at least
    SnakeSpec spec;
    std::shared_ptr<const Mask> forbidden; ///< pixels that no contour may hold; null for none
    std::optional<std::uint32_t> apart;    ///< px: every contour within partAround() its start
    std::string algorithm;                 ///< as SnakeJob::algorithm; of no meaning to a group
};

/// Receives the accepted states of contour number @p contour, from 0 on. Of a single contour and of a group in the
/// order in which they were accepted, the starts first; of independent contours when all are done, one contour after
/// another.
using EvolutionListener = std::function<void(std::size_t contour, const SnakeState& state)>;

/// Where they ended.
struct EvolvedContours {
    std::string algorithm;
    SnakeMoves moves = SnakeMoves::localBest; ///< the algorithm's
    std::vector<SnakeState> states;           ///< the last of each
    RegionSums background;                    ///< the pixels in no contour
    double energy = 0;
    double milliseconds = 0; ///< with the time that the listener takes
};

/// Evolves the contours to their end.
/// @param engine that moves them; null: the CPU. A group is always the CPU's.
/// @param listener may be empty
/// @throws Error as Engine::runSnake(), Engine::runIndependentSnakes() and SnakeGroup; Cancelled
[[nodiscard]] EvolvedContours evolveContours(const EvolutionJob& job, Engine* engine, const EvolutionListener& listener,
                                             const JobControl& control = {});

} // namespace pollard
