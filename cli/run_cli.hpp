#pragma once

#include "progress_line.hpp"

#include "engine/engine_registry.hpp"

#include <ostream>
#include <span>
#include <stop_token>
#include <string>

namespace pollard::cli {

/// What the composition root knows about the world around a command.
struct RunOptions {
    std::stop_token stop;      ///< asked to stop by Ctrl-C
    bool showProgress = false; ///< @p err is a terminal
    ProgressPace pace = {};
};

/// Runs one command of pollard-cli.
/// @param args  the command line without the program's name
/// @param out   results, or one JSON object with --json
/// @param err   errors, notes and progress
/// @return the exit code: 0 done, 1 the work failed or was cancelled, 2 wrong usage
int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options = {});

} // namespace pollard::cli
