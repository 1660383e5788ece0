#include "engine_run.hpp"

#include "base/error.hpp"
#include "snake/snake_job.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

/// Tells the states that are not known yet, whoever takes them.
class Telling {
public:
    Telling(std::size_t known, ArrivingStates& arriving) : reached_(known), arriving_(arriving) {}

    /// One that takes over takes the same states from the start again.
    void startAgain() { told_ = 1; } // the starts are known
    /// @return false if no more are wanted
    [[nodiscard]] bool add(ContourStep step) {
        if (wanted_ && ++told_ > reached_) {
            wanted_ = arriving_.add(std::move(step));
            reached_ += wanted_ ? 1 : 0;
        }
        return wanted_;
    }
    [[nodiscard]] bool areAllTold() const noexcept { return wanted_; }

private:
    std::size_t reached_;
    std::size_t told_ = 1;
    bool wanted_ = true;
    ArrivingStates& arriving_;
};

template <class Evolve>
SnakeMoves evolveOne(const EngineTask& task, Telling& telling, const std::stop_token& stop, const Evolve& evolve) {
    const SnakeJob job{task.ground.image, task.ground.valid, task.starts.front(),
                       task.spec,         task.forbidden,    task.engine.algorithm};
    const auto listener = [&](const SnakeState& state) {
        return state.kind == SnakeStep::start || telling.add({0, state});
    };
    return evolve(job, SnakeListener(listener), JobControl(stop)).moves;
}

template <class Evolve>
SnakeMoves evolveApart(const EngineTask& task, Telling& telling, const std::stop_token& stop, const Evolve& evolve) {
    ApartSnakesJob job = apartJob(task.ground, task.starts, task.spec, *task.engine.apart, task.forbidden);
    job.algorithm = task.engine.algorithm;
    TurnOrder order(task.starts.size());
    std::stop_source enough;
    const std::stop_callback stopping(stop, [&enough] { enough.request_stop(); });
    const auto tell = [&](std::vector<ContourStep> steps) {
        for (ContourStep& step : steps) {
            if (!telling.add(std::move(step))) {
                enough.request_stop();
            }
        }
    };
    const auto listener = [&](std::size_t contour, const SnakeState& state) {
        if (state.kind != SnakeStep::start) {
            tell(order.add(contour, state));
        }
    };
    SnakeMoves moves = task.spec.moves;
    try {
        moves = evolve(job, ApartSnakesListener(listener), JobControl(enough.get_token())).moves;
    } catch (const Cancelled&) {
        if (stop.stop_requested() || telling.areAllTold()) {
            throw;
        }
        return moves; // there were enough
    }
    tell(order.finish());
    return moves;
}

} // namespace

bool ArrivingStates::add(ContourStep step) {
    const std::scoped_lock lock(mutex_);
    if (!refused_) {
        steps_.push_back(std::move(step));
    }
    return !refused_;
}

std::vector<ContourStep> ArrivingStates::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(steps_, {});
}

void ArrivingStates::refuse() {
    const std::scoped_lock lock(mutex_);
    refused_ = true;
}

ContourStep TurnOrder::takeNext() {
    Waiting& waiting = waiting_[next_];
    return {next_, waiting.states.state(waiting.taken++)};
}

std::vector<ContourStep> TurnOrder::add(std::size_t contour, const SnakeState& state) {
    waiting_[contour].states.add(state);
    std::vector<ContourStep> turns;
    for (; hasNext(); passOn()) {
        turns.push_back(takeNext());
    }
    return turns;
}

std::vector<ContourStep> TurnOrder::finish() {
    std::vector<ContourStep> turns;
    for (std::size_t passed = 0; passed < waiting_.size(); passOn()) {
        passed = hasNext() ? 0 : passed + 1;
        if (hasNext()) {
            turns.push_back(takeNext());
        }
    }
    return turns;
}

EngineRunEnd runOnEngine(Engine& engine, const EngineTask& task, std::size_t known, ArrivingStates& arriving,
                         const std::stop_token& stop) {
    EngineRunEnd end;
    Telling telling(known, arriving);
    const auto run = [&](const auto& one, const auto& apart) {
        telling.startAgain();
        end.moves = task.engine.apart ? evolveApart(task, telling, stop, apart) : evolveOne(task, telling, stop, one);
        end.finished = telling.areAllTold();
    };
    try {
        run([&](const auto&... what) { return engine.runSnake(what...); },
            [&](const auto&... what) { return engine.runApartSnakes(what...); });
    } catch (const Error& error) {
        const ErrorCode code = error.code();
        const bool isTrouble =
            code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
        if (!isTrouble || !task.engine.algorithm.empty() || engine.name() == "cpu") {
            throw;
        }
        end.notice = error.what();
        run([](const auto&... what) { return pollard::runSnake(what...); },
            [](const auto&... what) { return pollard::runApartSnakes(what...); });
    }
    return end;
}

} // namespace pollard::vm
