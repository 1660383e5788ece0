#include "contour_run.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace pollard::vm {

std::shared_ptr<const RowSums> KeptSums::of(const std::shared_ptr<const Image>& image,
                                            const std::shared_ptr<const Mask>& valid, const JobControl& control) {
    if (!sums_ || &sums_->image() != image.get()) {
        sums_.reset();
        sums_ = std::make_shared<const RowSums>(image, valid.get(), control);
    }
    return sums_;
}

ContourRun madeRun(const ContourStart& start, const std::shared_ptr<const RowSums>& sums, const JobControl& control) {
    ContourRun run;
    run.spec = start.spec;
    run.engine = start.engine;
    run.forbidden = start.forbidden;
    run.origin = start.origin;
    run.parent = start.parent;
    run.parentState = start.parentState;
    run.snake = std::make_shared<SnakeGroup>(sums, start.make(control), start.spec, start.forbidden.get());
    std::vector<SnakeState> starts;
    for (std::size_t i = 0; i < run.snake->size(); ++i) {
        starts.push_back(run.snake->state(i));
    }
    run.record.begin(starts);
    run.contour = std::min(start.contour, starts.size() - 1);
    return run;
}

std::shared_ptr<SnakeGroup> madeAgain(const ContourRecord& record, const SnakeSpec& spec, const Mask* forbidden,
                                      const std::shared_ptr<const RowSums>& sums, const JobControl& control) {
    auto snake = std::make_shared<SnakeGroup>(sums, record.allNodes(0), spec, forbidden);
    for (int number = 1; number < record.count(); ++number) {
        static_cast<void>(snake->advance(control));
    }
    return snake;
}

SnakeStretch advanceSome(SnakeGroup& snake, int most, const JobControl& control) {
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
    } catch (const Cancelled&) { // the states so far are the snake's
        return stretch;
    }
    return stretch;
}

} // namespace pollard::vm
