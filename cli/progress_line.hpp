#pragma once

#include "base/job_control.hpp"

#include <chrono>
#include <mutex>
#include <ostream>
#include <string>

namespace pollard::cli {

/// One line on a terminal that says how far the work is. Appears after a second, goes away before results are
/// printed, and is not there at all unless it is enabled.
class ProgressLine {
public:
    ProgressLine(std::ostream& terminal, bool enabled) : terminal_(terminal), enabled_(enabled) {}
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Control of a job called @p job ("reading", "building the tree"). The line must outlive the job.
    [[nodiscard]] JobControl control(std::string job, std::stop_token stop);

    /// Removes the line from the terminal.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    void show(const std::string& job, double fraction, std::string_view stage);

    std::ostream& terminal_;
    bool enabled_;
    Clock::time_point start_ = Clock::now();
    std::mutex mutex_;
    Clock::time_point shown_{};
    bool visible_ = false;
};

} // namespace pollard::cli
