#pragma once

#include "base/job_control.hpp"

#include <chrono>
#include <mutex>
#include <ostream>
#include <string>

namespace pollard::cli {

/// Delay before the progress line appears, and interval between its updates.
struct ProgressPace {
    std::chrono::milliseconds delay{1000};
    std::chrono::milliseconds interval{100};
};

/// Progress line on a terminal. Appears after a delay, disappears before results are printed, and never appears unless
/// enabled. Of jobs of some length it shows the time left, too.
class ProgressLine {
public:
    ProgressLine(std::ostream& terminal, bool enabled, ProgressPace pace = {})
        : terminal_(terminal), enabled_(enabled), pace_(pace) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Control for a job called @p job ("reading", "building the tree"). The line must outlive the job.
    [[nodiscard]] JobControl control(std::string job, std::stop_token stop);

    /// Begins the lines to come with the name of the part that the jobs work on, such as a channel.
    void setSubject(const std::string& name);

    /// Removes the line from the terminal.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    void show(const std::string& job, Clock::time_point begin, double fraction, std::string_view stage);

    std::ostream& terminal_;
    bool enabled_;
    ProgressPace pace_;
    Clock::time_point start_ = Clock::now();
    std::mutex mutex_;
    std::string subject_; ///< with a colon and a space after it; empty if there is none
    Clock::time_point shown_{};
    bool visible_ = false;
};

} // namespace pollard::cli
