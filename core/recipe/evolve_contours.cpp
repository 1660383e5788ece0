#include "recipe/evolve_contours.hpp"

#include "base/stage_timer.hpp"
#include "engine/engine.hpp"
#include "snake/independent_snakes.hpp"
#include "snake/snake_group.hpp"
#include "snake/snake_job.hpp"

#include <utility>

namespace pollard {

namespace {

EvolvedContours evolveOne(const EvolutionJob& job, Engine* engine, const EvolutionListener& listener,
                          const JobControl& control) {
    const SnakeJob snake{job.image, job.valid, job.starts.front(), job.spec, job.forbidden, job.algorithm};
    SnakeListener told;
    if (listener) {
        told = [&](const SnakeState& state) {
            listener(0, state);
            return true;
        };
    }
    SnakeResult result = engine != nullptr ? engine->runSnake(snake, told, control) : runSnake(snake, told, control);
    EvolvedContours evolved{result.algorithm,     result.moves,        {},
                            result.state.outside, result.state.energy, result.milliseconds};
    evolved.states.push_back(std::move(result.state));
    return evolved;
}

EvolvedContours evolveIndependent(const EvolutionJob& job, Engine* engine, const EvolutionListener& listener,
                                  const JobControl& control) {
    IndependentSnakesJob snakes{job.image, job.valid, {}, job.spec, job.forbidden, job.algorithm};
    for (const Contour& start : job.starts) {
        snakes.snakes.push_back({partAround(start, *job.apart, job.image->width(), job.image->height()), start});
    }
    std::vector<std::vector<SnakeState>> states(job.starts.size());
    IndependentSnakesListener told;
    if (listener) {
        told = [&](std::size_t contour, const SnakeState& state) { states[contour].push_back(state); };
    }
    IndependentSnakesResult result = engine != nullptr ? engine->runIndependentSnakes(snakes, told, control)
                                                       : runIndependentSnakes(snakes, told, control);
    for (std::size_t contour = 0; contour < states.size(); ++contour) {
        for (const SnakeState& state : states[contour]) {
            listener(contour, state);
        }
    }
    EvolvedContours evolved{result.algorithm, result.moves, std::move(result.states), {}, 0, result.milliseconds};
    for (const SnakeState& state : evolved.states) {
        evolved.background += state.outside;
        evolved.energy += state.energy;
    }
    return evolved;
}

EvolvedContours evolveGroup(const EvolutionJob& job, const EvolutionListener& listener, const JobControl& control) {
    StageTimer timer;
    SnakeGroup group(std::make_shared<const RowSums>(job.image, job.valid.get(), control), job.starts, job.spec,
                     job.forbidden.get());
    for (std::size_t i = 0; listener && i < group.size(); ++i) {
        listener(i, group.state(i));
    }
    while (group.advance(control)) {
        if (listener) {
            listener(group.last(), group.state(group.last()));
        }
    }
    EvolvedContours evolved{
        std::string(nameOf(job.spec.moves)), job.spec.moves, {}, group.background(), group.energy(), 0};
    for (std::size_t i = 0; i < group.size(); ++i) {
        evolved.states.push_back(group.state(i));
    }
    timer.finish("snake");
    evolved.milliseconds = timer.totalMilliseconds();
    return evolved;
}

} // namespace

EvolvedContours evolveContours(const EvolutionJob& job, Engine* engine, const EvolutionListener& listener,
                               const JobControl& control) {
    if (job.apart) {
        return evolveIndependent(job, engine, listener, control);
    }
    return job.starts.size() == 1 ? evolveOne(job, engine, listener, control) : evolveGroup(job, listener, control);
}

} // namespace pollard
