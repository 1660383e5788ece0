#include "command.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::cli {

namespace {

constexpr const char* kEraseLine = "\r\x1b[K";

/// ", about 3 min left"; empty as long as too little is done for an estimate.
std::string timeLeft(std::chrono::duration<double> elapsed, double fraction) {
    constexpr double kLeastSeconds = 20;
    constexpr double kLeastFraction = 0.02;
    if (elapsed.count() < kLeastSeconds || fraction < kLeastFraction || fraction >= 1) {
        return {};
    }
    constexpr double kMinute = 60;
    const double seconds = elapsed.count() * (1 - fraction) / fraction;
    const long minutes = std::lround(seconds / kMinute);
    return ", about " + (minutes > 0 ? std::to_string(minutes) + " min" : std::to_string(std::lround(seconds)) + " s") +
           " left";
}

} // namespace

JobControl ProgressLine::control(std::string job, std::stop_token stop) {
    if (!enabled_) {
        return JobControl(std::move(stop));
    }
    return JobControl(std::move(stop),
                      [this, job = std::move(job), begin = Clock::now()](double fraction, std::string_view stage) {
                          show(job, begin, fraction, stage);
                      });
}

void ProgressLine::show(const std::string& job, Clock::time_point begin, double fraction, std::string_view stage) {
    // Workers report at any time. A worker that finds another one printing has nothing newer to report.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    const Clock::time_point now = Clock::now();
    if (!lock || now - start_ < pace_.delay || now - shown_ < pace_.interval) {
        return;
    }
    shown_ = now;
    visible_ = true;
    const long percent = std::lround(100 * std::clamp(fraction, 0.0, 1.0));
    terminal_ << kEraseLine << subject_ << job << (stage.empty() ? "" : ": ") << stage << ' ' << percent << " %"
              << timeLeft(now - begin, fraction) << std::flush;
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
