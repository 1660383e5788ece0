#pragma once

#include "command.hpp"
#include "progress_line.hpp"

#include "engine/engine_registry.hpp"

#include <functional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace pollard::cli {

/// Environment of runCli().
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

/// Runs one command of a program, as runCli().
int runProgram(const Program& program, std::span<const std::string> args, std::ostream& out, std::ostream& err,
               EngineRegistry& registry, const RunOptions& options = {});

/// Runs one command of pollard-cli.
/// @param args command line without the program name
/// @param out results, or one JSON object with --json
/// @param err errors, notes and progress
/// @return exit code: 0 done, 1 the work failed or was cancelled, 2 wrong usage
int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options = {});

} // namespace pollard::cli
