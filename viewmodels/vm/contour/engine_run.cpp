#include "vm/contour/engine_run.hpp"

#include "base/error.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_fallback.hpp"

#include <algorithm>
#include <utility>

namespace pollard::vm {

namespace {

constexpr int kTakenAtMost = 256; ///< taken states that are still kept

std::uint64_t bytesOf(const ContourStep& step) {
    return sizeof(ContourStep) + step.state.nodes.size() * sizeof(ContourNode);
}

/// Passes on the states that are not known yet, of the engine and of one that takes over.
class Telling {
public:
    Telling(std::size_t known, ArrivingStates& arriving, const std::stop_token& stop)
        : reached_(known), arriving_(arriving), stop_(stop) {}

    /// An engine that takes over repeats the states from the start.
    void startAgain() { told_ = 1; } // the starts are known
    /// @return false if no more are accepted
    [[nodiscard]] bool add(ContourStep step) {
        if (wanted_ && ++told_ > reached_) {
            wanted_ = arriving_.add(std::move(step), stop_);
            reached_ += wanted_ ? 1 : 0;
        }
        return wanted_;
    }
    /// Other states of @p bytes have to wait. @return false if no more are accepted
    [[nodiscard]] bool hold(std::uint64_t bytes) {
        wanted_ = wanted_ && arriving_.hold(bytes);
        return wanted_;
    }
    [[nodiscard]] bool areAllTold() const noexcept { return wanted_; }

private:
    std::size_t reached_;
    std::size_t told_ = 1;
    bool wanted_ = true;
    ArrivingStates& arriving_;
    std::stop_token stop_;
};

SnakeMoves evolve(Engine& engine, const SnakeJob& job, Telling& telling, const std::stop_token& stop) {
    const bool isAlone = job.starts.size() == 1;
    TurnOrder order(job.starts.size());
    const auto tell = [&telling](std::vector<ContourStep> steps) {
        return std::ranges::all_of(steps, [&](ContourStep& step) { return telling.add(std::move(step)); });
    };
    const auto listener = [&](std::size_t contour, const SnakeState& state) {
        if (state.kind == SnakeStep::start) {
            return true;
        }
        if (isAlone) {
            return telling.add({contour, state});
        }
        return tell(order.add(contour, state)) && telling.hold(order.bytes());
    };
    const SnakeMoves moves = engine.runSnake(job, listener, JobControl(stop)).moves;
    if (!isAlone && tell(order.finish())) {
        static_cast<void>(telling.hold(0));
    }
    return moves;
}

} // namespace

bool ArrivingStates::add(ContourStep step, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, stop, [this] { return refused_ || bytes_ < mostBytes_; });
    if (!refused_) {
        bytes_ += bytesOf(step);
        steps_.push_back(std::move(step));
    }
    return !refused_;
}

bool ArrivingStates::hold(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    held_ = bytes;
    refused_ = refused_ || held_ > mostHeld_;
    return !refused_;
}

std::vector<ContourStep> ArrivingStates::take() {
    const std::scoped_lock lock(mutex_);
    bytes_ = 0;
    taken_.notify_all();
    return std::exchange(steps_, {});
}

std::uint64_t ArrivingStates::heldBytes() const {
    const std::scoped_lock lock(mutex_);
    return held_;
}

void ArrivingStates::refuse() {
    const std::scoped_lock lock(mutex_);
    refused_ = true;
    taken_.notify_all();
}

bool ArrivingStates::isRefused() const {
    const std::scoped_lock lock(mutex_);
    return refused_;
}

ContourStep TurnOrder::takeNext() {
    Waiting& waiting = waiting_[next_];
    ContourStep step{next_, waiting.states.state(waiting.taken++)};
    // Taken states are removed in batches, for a low cost per state.
    if (2 * waiting.taken >= waiting.states.count() &&
        (waiting.taken == waiting.states.count() || waiting.taken >= kTakenAtMost)) {
        bytes_ -= waiting.states.bytes();
        SnakeRecord left;
        for (; waiting.taken < waiting.states.count(); ++waiting.taken) {
            left.add(waiting.states.state(waiting.taken));
        }
        waiting = {std::move(left), 0};
        bytes_ += waiting.states.bytes();
    }
    return step;
}

std::vector<ContourStep> TurnOrder::add(std::size_t contour, const SnakeState& state) {
    SnakeRecord& states = waiting_[contour].states;
    bytes_ -= states.bytes();
    states.add(state);
    bytes_ += states.bytes();
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

EngineRunEnd runOnEngine(Engine& engine, const SnakeJob& job, std::size_t known, ArrivingStates& arriving,
                         const std::stop_token& stop) {
    EngineRunEnd end;
    Telling telling(known, arriving, stop);
    const std::unique_ptr<Engine> cpu = makeCpuEngine();
    std::vector<Engine*> engines{&engine};
    if (job.algorithm.empty() && engine.name() != cpu->name()) {
        engines.push_back(cpu.get());
    }
    onFirstThatWorks(
        engines,
        [&](Engine& each) {
            telling.startAgain();
            end.moves = evolve(each, job, telling, stop);
            end.finished = telling.areAllTold();
        },
        [&end](const Error& error, const Engine& /*next*/) { end.notice = error.what(); });
    return end;
}

} // namespace pollard::vm
