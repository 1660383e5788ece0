#pragma once

#include "vm/contour/contour_run.hpp"
#include "vm/contour/snake_record.hpp"

#include "engine/engine.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::vm {

/// States of contours on their way from the threads that an engine calls to the one that records them.
class ArrivingStates {
public:
    /// Bytes; the window's thread records them all in one turn.
    static constexpr std::uint64_t kMostOnTheirWay = std::uint64_t{16} << 20U;

    /// @param mostHeld bytes of those that cannot be added yet: then no more are wanted
    /// @param mostBytes of those that nobody has taken yet: then add() waits
    explicit ArrivingStates(std::uint64_t mostHeld, std::uint64_t mostBytes = kMostOnTheirWay) noexcept
        : mostHeld_(mostHeld), mostBytes_(mostBytes) {}

    /// Waits while too many are on their way, but not once the job is to stop.
    /// @return false if no more are wanted
    [[nodiscard]] bool add(ContourStep step, const std::stop_token& stop);
    /// Others cannot be added yet and take so many bytes meanwhile. @return false if no more are wanted
    [[nodiscard]] bool hold(std::uint64_t bytes);
    [[nodiscard]] std::vector<ContourStep> take();
    /// Of those that cannot be added yet.
    [[nodiscard]] std::uint64_t heldBytes() const;
    /// No more are wanted: the engine ends its run with the next one.
    void refuse();
    [[nodiscard]] bool isRefused() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable_any taken_;
    std::uint64_t mostHeld_;
    std::uint64_t mostBytes_;
    std::uint64_t bytes_ = 0;
    std::uint64_t held_ = 0;
    std::vector<ContourStep> steps_;
    bool refused_ = false;
};

/// Puts the states of contours that evolve apart, which come mixed, into the order of an ApartGroup. Those that wait
/// are kept as a record keeps them.
class TurnOrder {
public:
    explicit TurnOrder(std::size_t contours) : waiting_(contours) {}

    /// The next state of a contour. @return those whose turn it is now
    [[nodiscard]] std::vector<ContourStep> add(std::size_t contour, const SnakeState& state);
    /// There is no other state. @return what is left
    [[nodiscard]] std::vector<ContourStep> finish();
    /// Memory of those that wait.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    struct Waiting {
        SnakeRecord states;
        int taken = 0;
    };
    [[nodiscard]] bool hasNext() const { return waiting_[next_].taken < waiting_[next_].states.count(); }
    [[nodiscard]] ContourStep takeNext();
    void passOn() noexcept { next_ = next_ + 1 < waiting_.size() ? next_ + 1 : 0; }

    std::vector<Waiting> waiting_;
    std::size_t next_ = 0;
    std::uint64_t bytes_ = 0;
};

/// What an engine is to evolve.
struct EngineTask {
    ContourGround ground;
    std::vector<Contour> starts; ///< one, unless they are apart
    SnakeSpec spec;
    ContourEngine engine;
    std::shared_ptr<const Mask> forbidden;
};

/// How an engine's run ended.
struct EngineRunEnd {
    SnakeMoves moves = SnakeMoves::localBest; ///< the algorithm's
    bool finished = false;                    ///< nothing moves any more
    std::string notice;                       ///< why the CPU took over; empty if it did not
};

/// Evolves one contour, or several apart, with an engine up to the end. If its device fails or is too small, and no
/// algorithm was named, the CPU takes the same states.
/// @param known states from the start on, that of all starts included, that are not told again
/// @throws as Engine::runSnake() and Engine::runApartSnakes()
[[nodiscard]] EngineRunEnd runOnEngine(Engine& engine, const EngineTask& task, std::size_t known,
                                       ArrivingStates& arriving, const std::stop_token& stop);

} // namespace pollard::vm
