#include "engine_run.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

bool ArrivingStates::add(const SnakeState& state) {
    const std::scoped_lock lock(mutex_);
    if (!refused_) {
        states_.push_back(state);
    }
    return !refused_;
}

std::vector<SnakeState> ArrivingStates::take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(states_, {});
}

void ArrivingStates::refuse() {
    const std::scoped_lock lock(mutex_);
    refused_ = true;
}

EngineRunEnd runOnEngine(Engine& engine, const SnakeJob& job, std::size_t known, ArrivingStates& arriving,
                         const JobControl& control) {
    EngineRunEnd end;
    bool wanted = true;
    std::size_t reached = known; // one that takes over takes the same states from the start again
    const auto run = [&](const auto& evolve) {
        std::size_t told = 0;
        end.moves = evolve([&](const SnakeState& state) {
                        if (++told > reached) {
                            wanted = arriving.add(state);
                            reached += wanted ? 1 : 0;
                        }
                        return wanted;
                    }).moves;
        end.finished = wanted;
    };
    try {
        run([&](const SnakeListener& listener) { return engine.runSnake(job, listener, control); });
    } catch (const Error& error) {
        const ErrorCode code = error.code();
        const bool isTrouble =
            code == ErrorCode::deviceFailed || code == ErrorCode::engineUnavailable || code == ErrorCode::outOfMemory;
        if (!isTrouble || !job.algorithm.empty() || engine.name() == "cpu") {
            throw;
        }
        end.notice = error.what();
        run([&](const SnakeListener& listener) { return pollard::runSnake(job, listener, control); });
    }
    return end;
}

} // namespace pollard::vm
