#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/contour/contour_run.hpp"
#include "vm/contour/contour_runs.hpp"
#include "vm/contour/contour_settings.hpp"

#include "engine/engine.hpp"
#include "snake/snake_job.hpp"

#include <QObject>
#include <QTimer>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::vm {

/// Queue of contour states from the threads of an engine to the thread that records the states.
class ArrivingStates {
public:
    /// Default limit of the queue, bytes; the window's thread records its states in one turn.
    static constexpr std::uint64_t kMostOnTheirWay = std::uint64_t{16} << 20U;

    /// @param mostHeld limit on states that cannot be added yet, bytes: beyond it no more are accepted
    /// @param mostBytes limit on states in the queue, bytes: beyond it add() waits
    explicit ArrivingStates(std::uint64_t mostHeld, std::uint64_t mostBytes = kMostOnTheirWay) noexcept
        : mostHeld_(mostHeld), mostBytes_(mostBytes) {}

    /// Waits while the queue is full, unless a stop is requested.
    /// @return false if no more are accepted
    [[nodiscard]] bool add(ContourStep step, const std::stop_token& stop);
    /// States of @p bytes cannot be added yet. @return false if no more are accepted
    [[nodiscard]] bool hold(std::uint64_t bytes);
    [[nodiscard]] std::vector<ContourStep> take();
    /// Memory of states that cannot be added yet.
    [[nodiscard]] std::uint64_t heldBytes() const;
    /// Accepts no more: the engine ends its run at the next state.
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

/// Sorts the interleaved states of independent contours into the order of a SnakeGroup. Waiting states are
/// stored as in a record.
class TurnOrder {
public:
    explicit TurnOrder(std::size_t contours) : waiting_(contours) {}

    /// Adds the next state of a contour. @return the states whose turn has come
    [[nodiscard]] std::vector<ContourStep> add(std::size_t contour, const SnakeState& state);
    /// Called after the last state. @return the remaining states
    [[nodiscard]] std::vector<ContourStep> finish();
    /// Memory of waiting states.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    struct WaitingStates {
        SnakeRecord states;
        int taken = 0;
    };
    [[nodiscard]] bool hasNext() const { return waiting_[next_].taken < waiting_[next_].states.count(); }
    [[nodiscard]] ContourStep takeNext();
    void advance() noexcept { next_ = next_ + 1 < waiting_.size() ? next_ + 1 : 0; }

    std::vector<WaitingStates> waiting_;
    std::size_t next_ = 0;
    std::uint64_t bytes_ = 0;
};

/// End of an engine's run.
struct EngineRunEnd {
    SnakeMoves moves = SnakeMoves::localBest; ///< of the algorithm
    bool finished = false;                    ///< no contour can move
    std::string notice;                       ///< why the CPU took over; empty if it did not
};

/// Evolves one contour, or several independent ones, with an engine to the end. If its device fails or has too little
/// memory, and no algorithm was named, the CPU repeats the same states.
/// @param known number of states that are not reported again, including the state of all starts
/// @throws as Engine::runSnake()
[[nodiscard]] EngineRunEnd runOnEngine(Engine& engine, const SnakeJob& job, std::size_t known, ArrivingStates& arriving,
                                       const std::stop_token& stop);

/// Makes runs and computes their states on a thread: a state that is to be shown, and many while playing.
class ContourComputing : public QObject {
    Q_OBJECT

public:
    /// Limit on the recorded states of all runs; beyond it no state is computed until a run is deleted.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20U;

    /// All must outlive this.
    ContourComputing(const DocumentViewModel& document, ContourSettings& settings, ContourRuns& runs,
                     ContourPlayback& playback);

    [[nodiscard]] bool isAdvancing() const noexcept { return advancing_; }
    [[nodiscard]] std::uint64_t mostBytes() const noexcept { return mostBytes_; }
    /// Sets another limit than kMostBytes, for tests.
    void setMostBytes(std::uint64_t bytes) noexcept { mostBytes_ = bytes; }
    /// The engine that evolves a run to its end; null if the CPU computes it state by state.
    [[nodiscard]] Engine* wholeEngine(const ContourRun& run) const noexcept;
    [[nodiscard]] ContourInput ground() const;
    /// The worker; the owner of this object may use the lane `load`.
    [[nodiscard]] LatestWinsWorker& worker() noexcept { return worker_; }

    /// Makes a run, which replaces a current run without moves. Replaces a start that is being made.
    void begin(ContourStart start);
    /// Continues with a run as the current one.
    void adopt(ContourRun run);
    /// Ends the computing of a deleted run.
    void drop(int run);
    /// Ends the computing of states.
    void halt();
    /// Ends all jobs: another image is shown.
    void reset(DeferredRelease& old);

signals:
    void finished(int run); ///< id

private:
    void takeMade(ContourRun made, int replaced, const JobOutcome& outcome);
    void computeNext();
    void postStretch(const ContourRun& run);
    void postWhole(const ContourRun& run, Engine& engine);
    void endAtBound();
    void drain();
    void record(int id, const SnakeStretch& stretch);
    void endOf(const JobOutcome& outcome);

    const DocumentViewModel& document_;
    ContourSettings& settings_;
    ContourRuns& runs_;
    ContourPlayback& playback_;
    std::uint64_t mostBytes_ = kMostBytes;
    std::shared_ptr<CachedSums> sums_ = std::make_shared<CachedSums>();
    bool advancing_ = false;
    std::shared_ptr<ArrivingStates> arriving_; ///< from an engine
    int arrivingRun_ = 0;
    QTimer drain_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
