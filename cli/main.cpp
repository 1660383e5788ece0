#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "engine/program_facts.hpp"
#include "run_cli.hpp"

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

#include <csignal>
#include <iostream>
#include <pthread.h>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

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

constexpr int kExitInterrupted = 130; // shells' exit code after SIGINT

sigset_t interruptSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

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

} // namespace

int main(int argc, char** argv) {
    // A closed pipe (`pollard-cli info x | head -1`) is a failed write instead of a signal.
    std::signal(SIGPIPE, SIG_IGN);
    const InterruptWatcher interrupt;
    pollard::EngineRegistry registry{pollard::makeCpuEngine()};
#ifdef POLLARD_WITH_CUDA
    registry.add(pollard::makeCudaEngine());
#endif
    pollard::keepCrashLogs(pollard::crashFolder(), pollard::programFacts("pollard-cli", POLLARD_VERSION, registry));
    const std::vector<std::string> args(argv + 1, argv + argc);
    return pollard::cli::runCli(args, std::cout, std::cerr, registry, {interrupt.token(), isatty(STDERR_FILENO) != 0});
}
