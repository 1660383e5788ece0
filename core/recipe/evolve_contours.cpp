#include "recipe/evolve_contours.hpp"

#include "engine/engine.hpp"

#include <cstddef>
#include <vector>

namespace pollard {

SnakeResult evolveContours(const SnakeJob& job, Engine* engine, const SnakeListener& listener,
                           const JobControl& control) {
    std::vector<std::vector<SnakeState>> states(job.starts.size());
    const SnakeListener keeping = [&states](std::size_t contour, const SnakeState& state) {
        states[contour].push_back(state);
        return true;
    };
    const bool keeps = listener && !job.parts.empty();
    const SnakeListener& told = keeps ? keeping : listener;
    SnakeResult result = engine != nullptr ? engine->runSnake(job, told, control) : runSnake(job, told, control);
    for (std::size_t contour = 0; keeps && contour < states.size(); ++contour) {
        for (const SnakeState& state : states[contour]) {
            static_cast<void>(listener(contour, state));
        }
    }
    return result;
}

} // namespace pollard
