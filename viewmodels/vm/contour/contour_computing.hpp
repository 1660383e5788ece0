#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/contour/contour_playback.hpp"
#include "vm/contour/contour_settings.hpp"
#include "vm/contour/engine_run.hpp"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>

namespace pollard::vm {

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
    /// For tests; default kMostBytes.
    void setMostBytes(std::uint64_t bytes) noexcept { mostBytes_ = bytes; }
    /// The engine that evolves a run to its end; null if the CPU computes it state by state.
    [[nodiscard]] Engine* wholeEngine(const ContourRun& run) const noexcept;
    [[nodiscard]] ContourInput ground() const;
    /// Its lane `load` is free for the owner of this.
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
