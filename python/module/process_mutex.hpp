#pragma once

#include "base/error.hpp"

#include <unistd.h>

#include <atomic>

namespace pollard::python {

/// A mutex that knows the process of the thread that holds it: a forked process inherits a locked mutex without the
/// thread that opens it.
class ProcessMutex {
public:
    /// @throws Error(engineUnavailable) in a process that was forked while another thread held the mutex
    void lock() {
        const pid_t process = getpid();
        for (pid_t holder = 0; !holder_.compare_exchange_strong(holder, process); holder = 0) {
            if (holder != process) {
                throw Error(ErrorCode::engineUnavailable,
                            "tree: another thread used it when this process was forked; build it again here, or start "
                            "processes with 'spawn' or 'forkserver'");
            }
            holder_.wait(holder);
        }
    }
    void unlock() noexcept {
        holder_.store(0);
        holder_.notify_one();
    }

private:
    std::atomic<pid_t> holder_{0}; ///< 0: nothing holds it
};

} // namespace pollard::python
