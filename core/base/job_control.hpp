#pragma once

#include "base/error.hpp"

#include <functional>
#include <stop_token>
#include <string_view>

namespace pollard {

/// How a long job talks to whoever started it: it asks whether to stop, and tells how far it is.
/// Both parts are optional; a default-constructed JobControl never stops and reports to nobody.
class JobControl {
public:
    /// Called from any worker thread, possibly from several at once, with a fraction in [0, 1] of the
    /// whole job and the name of the stage at work. Must not throw and must return quickly.
    using ProgressFunction = std::function<void(double fraction, std::string_view stage)>;

    JobControl() = default;
    explicit JobControl(std::stop_token stop, ProgressFunction progress = {})
        : stop_(std::move(stop)), progress_(std::move(progress)) {}

    [[nodiscard]] bool stopRequested() const noexcept { return stop_.stop_requested(); }

    /// @throws Cancelled if a stop was requested
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
