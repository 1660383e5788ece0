#pragma once

#include "command.hpp"
#include "engine/engine_registry.hpp"
#include "progress_line.hpp"

#include <functional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
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

} // namespace pollard::cli
