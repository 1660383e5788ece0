#pragma once

#include <stop_token>
#include <thread>

namespace pollard::cli {

/// Converts Ctrl-C (SIGINT) and SIGTERM to a stop request, so that the work unwinds and removes temporaries. A second
/// signal ends the program immediately. Create it before any other thread: threads inherit the blocked signals.
class InterruptWatcher {
public:
    InterruptWatcher();
    ~InterruptWatcher();
    InterruptWatcher(const InterruptWatcher&) = delete;
    InterruptWatcher& operator=(const InterruptWatcher&) = delete;

    [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread watcher_;
};

} // namespace pollard::cli
