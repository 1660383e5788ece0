#include "interrupt_watcher.hpp"

#include <csignal>
#include <pthread.h>
#include <unistd.h>

namespace pollard::cli {

namespace {

constexpr int kExitInterrupted = 130; // shells' exit code after SIGINT

sigset_t interruptSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

} // namespace

InterruptWatcher::InterruptWatcher() {
    const sigset_t signals = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    watcher_ = std::jthread([this, signals](const std::stop_token& finished) {
        // A thread waits for signals instead of a handler, because request_stop() may run callbacks.
        int signal = 0;
        while (sigwait(&signals, &signal) == 0 && !finished.stop_requested()) {
            if (!source_.request_stop()) {
                _exit(kExitInterrupted);
            }
        }
    });
}

InterruptWatcher::~InterruptWatcher() {
    watcher_.request_stop();
    pthread_kill(watcher_.native_handle(), SIGTERM); // ends sigwait
}

} // namespace pollard::cli
