#include "progress_line.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::cli {

namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

} // namespace

JobControl ProgressLine::control(std::string job, std::stop_token stop) {
    if (!enabled_) {
        return JobControl(std::move(stop));
    }
    return JobControl(std::move(stop), [this, job = std::move(job)](double fraction, std::string_view stage) {
        show(job, fraction, stage);
    });
}

void ProgressLine::show(const std::string& job, double fraction, std::string_view stage) {
    // Workers report at any time; one that finds another printing has nothing newer to report.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    const Clock::time_point now = Clock::now();
    if (!lock || now - start_ < pace_.delay || now - shown_ < pace_.interval) {
        return;
    }
    shown_ = now;
    visible_ = true;
    const long percent = std::lround(100 * std::clamp(fraction, 0.0, 1.0));
    terminal_ << kEraseLine << subject_ << job << (stage.empty() ? "" : ": ") << stage << ' ' << percent << " %"
              << std::flush;
}

void ProgressLine::setSubject(const std::string& name) {
    const std::lock_guard lock(mutex_);
    subject_ = name.empty() ? name : name + ": ";
}

void ProgressLine::clear() {
    const std::lock_guard lock(mutex_);
    if (visible_) {
        terminal_ << kEraseLine << std::flush;
        visible_ = false;
    }
}

} // namespace pollard::cli
