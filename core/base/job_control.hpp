#pragma once

#include "base/error.hpp"

#include <functional>
#include <stop_token>
#include <string_view>

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

    /// The stop request alone, for a part of the job.
    [[nodiscard]] JobControl withoutProgress() const { return JobControl(stop_); }

    /// For a part of the job that takes the fraction @p length of the time, from the fraction @p from on.
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

} // namespace pollard
