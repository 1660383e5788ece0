#pragma once

#include "base/job_control.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace pollard::testing {

/// A place passed by jobs, where they can be held.
class Gate {
public:
    void hold() {
        const std::scoped_lock lock(mutex_);
        held_ = true;
    }
    void release() {
        const std::scoped_lock lock(mutex_);
        held_ = false;
        changed_.notify_all();
    }
    [[nodiscard]] int arrivals() const {
        const std::scoped_lock lock(mutex_);
        return arrivals_;
    }
    /// Waits while the gate is held. @throws Cancelled after a stop request
    void pass(const JobControl& control) {
        std::unique_lock lock(mutex_);
        ++arrivals_;
        while (held_) {
            control.throwIfStopped();
            changed_.wait_for(lock, std::chrono::milliseconds(2));
        }
        control.throwIfStopped();
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int arrivals_ = 0;
    bool held_ = false;
};

} // namespace pollard::testing
