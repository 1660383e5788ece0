#include "snake/snake_job.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace pollard {

namespace {

SnakeMoves movesNamed(const std::string& name) {
    const auto found = std::ranges::find_if(kSnakeMoves, [&](SnakeMoves moves) { return nameOf(moves) == name; });
    if (found == kSnakeMoves.end()) {
        throw Error(ErrorCode::invalidArgument,
                    "region snake: algorithm '" + name + "': unknown (there are sequential, parity, local-best)");
    }
    return *found;
}

} // namespace

SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener, const JobControl& control) {
    SnakeSpec spec = job.spec;
    spec.moves = job.algorithm.empty() ? spec.moves : movesNamed(job.algorithm);
    StageTimer timer;
    const auto sums = std::make_shared<const RowSums>(job.image, job.valid.get(), control);
    timer.finish("sums");
    SnakeRun run(sums, job.start, spec, job.forbidden ? std::make_shared<const RowCounts>(*job.forbidden) : nullptr);
    while ((!listener || listener(run.state())) && run.advance(control)) {
    }
    timer.finish("evolution");
    SnakeResult result{std::string(nameOf(spec.moves)), spec.moves, run.state(), {}, timer.totalMilliseconds()};
    result.stages = timer.take();
    return result;
}

} // namespace pollard
