#include "vm/contour/contour_run.hpp"

#include "snake/apart_snakes.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace pollard::vm {

ContourRun madeRun(const ContourStart& start, const ContourGround& ground, const JobControl& control) {
    ContourRun run;
    run.spec = start.spec;
    run.engine = start.engine;
    run.forbidden = start.forbidden;
    run.origin = start.origin;
    run.parent = start.parent;
    run.parentState = start.parentState;
    run.snake = std::make_shared<MovingContours>(ground, start.make(control), start.spec, start.engine.apart,
                                                 start.forbidden, control);
    std::vector<SnakeState> starts;
    for (std::size_t i = 0; i < run.snake->size(); ++i) {
        starts.push_back(run.snake->state(i));
    }
    run.record.begin(starts, start.engine.apart ? ContourRecord::Background::own : ContourRecord::Background::common);
    if (start.engine.apart) {
        for (const SnakeState& state : starts) {
            run.parts.push_back(
                partAround(state.nodes, *start.engine.apart, ground.image->width(), ground.image->height()));
        }
    }
    run.contour = std::min(start.contour, starts.size() - 1);
    return run;
}

std::shared_ptr<MovingContours> madeAgain(const ContourRun& run, const ContourGround& ground,
                                          const JobControl& control) {
    auto snake = std::make_shared<MovingContours>(ground, run.record.allNodes(0), run.spec, run.engine.apart,
                                                  run.forbidden, control);
    for (int number = 1; number < run.record.count(); ++number) {
        static_cast<void>(snake->advance(control));
    }
    return snake;
}

SnakeStretch advanceSome(MovingContours& snake, int most, const JobControl& control) {
    constexpr std::chrono::milliseconds kLongest{15}; // a frame of the window
    const auto end = std::chrono::steady_clock::now() + kLongest;
    SnakeStretch stretch;
    try {
        while (std::cmp_less(stretch.steps.size(), most)) {
            if (!snake.advance(control)) {
                stretch.finished = true;
                break;
            }
            stretch.steps.push_back({snake.last(), snake.state(snake.last())});
            if (std::chrono::steady_clock::now() >= end) {
                break;
            }
        }
    } catch (const Cancelled&) { // the states so far are kept
        return stretch;
    }
    return stretch;
}

} // namespace pollard::vm
