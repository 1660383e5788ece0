#pragma once

#include "command.hpp"
#include "engine/engine_registry.hpp"

#include <functional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace pollard::cli {

/// Environment of runProgram().
struct RunOptions {
    std::stop_token stop;      ///< stop requested by Ctrl-C
    bool showProgress = false; ///< @p err is a terminal
    ProgressPace pace = {};
};

/// Commands under one name.
struct Program {
    std::string name;
    std::string description;
    std::string footer; ///< of its help
    std::vector<std::function<CommandAction(CLI::App&)>> commands;
};

/// Runs one command of a program.
/// @param args command line without the program name
/// @param out results, or one JSON object with --json
/// @param err errors, notes and progress
/// @return exit code: 0 done, 1 the work failed or was cancelled, 2 wrong usage
int runProgram(const Program& program, std::span<const std::string> args, std::ostream& out, std::ostream& err,
               EngineRegistry& registry, const RunOptions& options = {});

/// Runs one command of pollard-cli, see runProgram().
int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options = {});

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
