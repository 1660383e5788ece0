#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "engine/program_facts.hpp"
#include "program.hpp"

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

#include <csignal>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

int main(int argc, char** argv) {
    // A closed pipe (`pollard-cli info x | head -1`) is a failed write instead of a signal.
    std::signal(SIGPIPE, SIG_IGN);
    const pollard::cli::InterruptWatcher interrupt;
    pollard::EngineRegistry registry{pollard::makeCpuEngine()};
#ifdef POLLARD_WITH_CUDA
    registry.add(pollard::makeCudaEngine());
#endif
    pollard::keepCrashLogs(pollard::crashFolder(), pollard::programFacts("pollard-cli", POLLARD_VERSION, registry));
    const std::vector<std::string> args(argv + 1, argv + argc);
    return pollard::cli::runCli(args, std::cout, std::cerr, registry, {interrupt.token(), isatty(STDERR_FILENO) != 0});
}
