#pragma once

#include "base/error.hpp"

#include <QObject>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace pollard::vm {

/// What a job is for. Of several waiting jobs the one of the first lane in this order runs next.
enum class Lane : std::uint8_t { close, load, build, measure, filter, count, fetch, save };
inline constexpr std::size_t kLaneCount = 8;

/// How a job ended.
struct JobOutcome {
    enum class Kind : std::uint8_t { done, failed, cancelled };
    Kind kind = Kind::done;
    std::optional<ErrorCode> code; ///< if it failed with a pollard::Error or ran out of memory
    std::string message;           ///< one line for a person, if it failed

    [[nodiscard]] bool ok() const noexcept { return kind == Kind::done; }
};

/// One compute thread with a mailbox that holds at most one waiting job per lane: a newer job replaces the one that
/// waits, the one that runs finishes (cancelling on every event of a drag would starve the picture). So a lane never
/// has more than one running and one waiting job, however fast it is fed.
///
/// Made, used and destroyed on one thread with a Qt event loop (the "home" thread). Every job that was not replaced
/// reports there exactly once, in the order the jobs ended, by one queued call each.
class LatestWinsWorker : public QObject {
    Q_OBJECT

public:
    /// Runs on the worker thread. Looks at the token at least every 100 ms and unwinds with Cancelled.
    using Job = std::function<void(const std::stop_token& stop)>;
    /// Number of a post, counted from 1 over all lanes: greater means newer. 0 is "none".
    using Generation = std::uint64_t;
    /// Runs on the home thread with the number that post() gave.
    using Done = std::function<void(Generation generation, const JobOutcome& outcome)>;

    /// @param atExit runs on the worker thread after the last job, to free what must be freed there
    explicit LatestWinsWorker(std::function<void()> atExit = {}, QObject* parent = nullptr);
    /// Asks the running job to stop, drops the waiting ones, joins. No report arrives afterwards.
    ~LatestWinsWorker() override;

    /// Puts a job into the mailbox; the waiting one of the same lane is replaced and never reports.
    Generation post(Lane lane, Job job, Done done);

    /// Asks the running job to stop, whatever its lane.
    void cancelRunning();
    /// Asks the running job to stop if it is of this lane, and takes the waiting one of the lane out;
    /// both report as cancelled.
    void cancel(Lane lane);
    /// Reports of this lane's jobs posted so far no longer arrive. Does not stop them.
    void forget(Lane lane);

    /// Whether a job of the lane waits, runs, or has a report under way.
    [[nodiscard]] bool isBusy(Lane lane) const;

    /// Counters since construction.
    struct Statistics {
        std::uint64_t posted = 0;
        std::uint64_t started = 0;
        std::uint64_t replaced = 0;
        int maxInFlight = 0; ///< most jobs of the lane that ran or waited at one time
    };
    [[nodiscard]] Statistics statistics(Lane lane) const;

private:
    struct Entry {
        Generation generation = 0;
        Lane lane = Lane::load;
        Job job;
        Done done;
    };
    struct Report {
        Generation generation = 0;
        Lane lane = Lane::load;
        Done done;
        JobOutcome outcome;
    };
    struct LaneState {
        std::optional<Entry> waiting;
        Generation forgottenUpTo = 0;
        int reports = 0; ///< in the outbox
        Statistics statistics;
    };

    Q_INVOKABLE void deliverNext();

    void run(const std::stop_token& stop);
    [[nodiscard]] bool hasWaiting() const;
    [[nodiscard]] Entry takeNext();
    enum class FromThread : bool { no, yes };
    void queueReport(Report report, FromThread fromThread);
    [[nodiscard]] LaneState& state(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
    [[nodiscard]] const LaneState& state(Lane lane) const { return lanes_[static_cast<std::size_t>(lane)]; }
    [[nodiscard]] static JobOutcome runGuarded(const Job& job, const std::stop_token& stop);

    std::function<void()> atExit_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::array<LaneState, kLaneCount> lanes_;
    std::optional<Lane> running_;
    std::stop_source runningStop_;
    std::deque<Report> outbox_;
    Generation lastGeneration_ = 0;
    std::jthread thread_; // last: joined before the rest goes
};

} // namespace pollard::vm
