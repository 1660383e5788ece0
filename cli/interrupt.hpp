#pragma once

#include <stop_token>
#include <thread>

namespace pollard::cli {

/// Turns Ctrl-C (SIGINT) and SIGTERM into a stop request, so that the work unwinds and removes what it had begun.
/// A second one ends the program at once. Make it before any other thread: they inherit the blocked signals.
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
