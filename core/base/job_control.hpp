#pragma once

#include "base/error.hpp"

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Stop request and progress callback of a long job. Both are optional: a default-constructed JobControl never stops
/// and discards reports.
class JobControl {
public:
    /// Receives a fraction in [0, 1] of the whole job and the name of the current stage. Called from any worker thread,
    /// possibly from several at once; must not throw and must return quickly.
    using ProgressFunction = std::function<void(double fraction, std::string_view stage)>;

    JobControl() = default;
    explicit JobControl(std::stop_token stop, ProgressFunction progress = {})
        : stop_(std::move(stop)), progress_(std::move(progress)) {}

    /// Control for a part of the job that can be stopped, but reports no progress.
    [[nodiscard]] JobControl withoutProgress() const { return JobControl(stop_); }

    /// Control for a part of the job that takes the fraction @p length of the time and starts at the fraction @p from.
    [[nodiscard]] JobControl part(double from, double length) const {
        return progress_ ? JobControl(stop_,
                                      [progress = progress_, from, length](double fraction, std::string_view stage) {
                                          progress(from + length * fraction, stage);
                                      })
                         : JobControl(stop_);
    }

    [[nodiscard]] bool stopRequested() const noexcept { return stop_.stop_requested(); }

    /// @throws Cancelled if stopRequested()
    void throwIfStopped() const {
        if (stopRequested()) {
            throw Cancelled{};
        }
    }

    void report(double fraction, std::string_view stage) const {
        if (progress_) {
            progress_(fraction, stage);
        }
    }

private:
    std::stop_token stop_;
    ProgressFunction progress_;
};

/// Wall time of one stage of a job.
struct StageTime {
    std::string name;
    double milliseconds = 0;

    bool operator==(const StageTime&) const = default;
};

/// Splits the time of a job into consecutive named stages.
class StageTimer {
public:
    /// Ends the current stage, which began at construction or at the last call, and records it as @p name.
    void finish(std::string_view name) {
        const auto now = Clock::now();
        stages_.push_back({std::string(name), std::chrono::duration<double, std::milli>(now - last_).count()});
        last_ = now;
    }

    [[nodiscard]] std::vector<StageTime> take() { return std::move(stages_); }

    [[nodiscard]] double totalMilliseconds() const {
        return std::chrono::duration<double, std::milli>(last_ - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
    std::vector<StageTime> stages_;
};

} // namespace pollard
