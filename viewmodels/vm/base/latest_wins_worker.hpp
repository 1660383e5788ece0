#pragma once

#include "base/error.hpp"

#include <QObject>
#include <QString>

#include <array>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::vm {

/// Threads for the tasks of several owners. Every task starts at once, on a free thread or on a new one, so no task
/// waits for another. Threads are kept for later tasks. (The threads of a QThreadPool are not joined at the end of the
/// program.)
class JobThreads {
public:
    JobThreads() = default;
    JobThreads(const JobThreads&) = delete;
    JobThreads& operator=(const JobThreads&) = delete;
    /// Joins after the last task; not called by a task.
    ~JobThreads() = default;

    /// The threads of this process. Each owner of tasks keeps the pointer until its tasks have ended, so that the last
    /// owner joins the threads.
    [[nodiscard]] static std::shared_ptr<JobThreads> shared();

    /// @param task throws nothing
    void start(std::function<void()> task);
    [[nodiscard]] std::size_t threadCount() const;

private:
    void run(const std::stop_token& stop);

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<std::function<void()>> tasks_; ///< not started yet; never more than free threads
    std::size_t free_ = 0;                    ///< threads without a task
    std::vector<std::jthread> threads_;       ///< last: joined before the other members are destroyed
};

/// Passes progress from any thread to the thread of this object, by at most one queued call at a time, which delivers
/// the latest value.
class ProgressRelay : public QObject {
    Q_OBJECT

public:
    /// The type for JobControl. Must not be called after the relay is destroyed.
    using Function = std::function<void(double fraction, std::string_view stage)>;

    explicit ProgressRelay(QObject* parent = nullptr);

    /// A function that reports for the job named @p what.
    [[nodiscard]] Function forJob(const QString& what);

signals:
    void progressed(double fraction, const QString& what, const QString& stage);

private:
    Q_INVOKABLE void deliver();
    void report(const QString& what, double fraction, std::string_view stage);

    std::mutex mutex_;
    bool queued_ = false;
    double fraction_ = 0;
    std::string stage_;
    QString what_;
};

/// Purpose of a job. If jobs of several lanes wait, the job of the first lane in this order runs next.
enum class Lane : std::uint8_t { close, load, build, measure, slice, filter, section, count, fetch, voxels, save };
inline constexpr std::size_t kLaneCount = 11;

/// End of a job.
struct JobOutcome {
    enum class Kind : std::uint8_t { done, failed, cancelled };
    Kind kind = Kind::done;
    std::optional<ErrorCode> code; ///< of a pollard::Error or for lack of memory; empty after success
    std::string message;           ///< one line for the user after a failure

    [[nodiscard]] bool ok() const noexcept { return kind == Kind::done; }
};

/// Runs one job after the other on another thread. At most one job per lane waits: a newer job replaces the waiting
/// one, while the running one finishes (cancelling on every event of a drag would leave no image). So a lane has at
/// most one running and one waiting job at any rate of posts. All workers share their threads (JobThreads); a
/// worker without a job has none.
///
/// Created, used and destroyed on one thread with a Qt event loop (the "home" thread). Every job that was not replaced
/// reports there exactly once, in the order of their ends, by one queued call each.
class LatestWinsWorker : public QObject {
    Q_OBJECT

public:
    /// Runs on another thread. Checks the token at least every 100 ms and unwinds with Cancelled.
    using Job = std::function<void(const std::stop_token& stop)>;
    /// Number of a post, counted from 1 over all lanes: greater means newer. 0 is "none".
    using Generation = std::uint64_t;
    /// Runs on the home thread with the number from post().
    using Done = std::function<void(Generation generation, const JobOutcome& outcome)>;

    /// @param atExit runs on another thread after the last job, to free data there
    explicit LatestWinsWorker(std::function<void()> atExit = {}, QObject* parent = nullptr);
    /// Stops the running job, drops the waiting ones, waits for its end. No report arrives afterwards.
    ~LatestWinsWorker() override;

    /// Puts a job into the mailbox; a replaced job of the same lane never reports.
    Generation post(Lane lane, Job job, Done done);

    /// Posts a job with a result: @p done gets the outcome and the result, and the number first if it accepts one. The
    /// result is default-constructed after a failure and after cancelling.
    template <std::invocable<const std::stop_token&> Work, class Take>
    requires(!std::is_void_v<std::invoke_result_t<Work&, const std::stop_token&>>) Generation
        post(Lane lane, Work work, Take done) {
        using Result = std::invoke_result_t<Work&, const std::stop_token&>;
        auto result = std::make_shared<Result>();
        return post(
            lane, Job([work = std::move(work), result](const std::stop_token& stop) mutable { *result = work(stop); }),
            Done([done = std::move(done), result](Generation generation, const JobOutcome& outcome) mutable {
                if constexpr (std::invocable<Take&, Generation, const JobOutcome&, Result&>) {
                    done(generation, outcome, *result);
                } else {
                    done(outcome, *result);
                }
            }));
    }

    /// Requests a stop of the running job, of any lane.
    void cancelRunning();
    /// Requests a stop of the running job if it is of this lane, and removes the lane's waiting job; both report as
    /// cancelled.
    void cancel(Lane lane);
    /// Suppresses the reports of jobs of this lane posted so far; the jobs run on.
    void forget(Lane lane);
    /// cancel() without a report.
    void stop(Lane lane) {
        cancel(lane);
        forget(lane);
    }

    /// Whether a job of the lane waits, runs, or has a pending report.
    [[nodiscard]] bool isBusy(Lane lane) const;

    /// Counters since construction.
    struct Statistics {
        std::uint64_t posted = 0;
        std::uint64_t started = 0;
        std::uint64_t replaced = 0;
        int maxInFlight = 0; ///< most jobs of the lane that ran or waited at the same time
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

    void runWaiting();
    void becomeIdle();
    [[nodiscard]] bool hasWaiting() const;
    [[nodiscard]] Entry takeNext();
    enum class FromThread : bool { no, yes };
    void queueReport(Report report, FromThread fromThread);
    [[nodiscard]] LaneState& state(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
    [[nodiscard]] const LaneState& state(Lane lane) const { return lanes_[static_cast<std::size_t>(lane)]; }
    [[nodiscard]] static JobOutcome runGuarded(const Job& job, const std::stop_token& stop);

    const std::shared_ptr<JobThreads> threads_ = JobThreads::shared();
    std::function<void()> atExit_;
    mutable std::mutex mutex_;
    std::condition_variable idle_;
    std::array<LaneState, kLaneCount> lanes_;
    std::optional<Lane> running_;
    std::stop_source runningStop_;
    bool isActive_ = false; ///< has a thread, or will get one
    bool ends_ = false;     ///< starts no other job
    std::deque<Report> outbox_;
    Generation lastGeneration_ = 0;
};

} // namespace pollard::vm
