#pragma once

#include "progress_line.hpp"

#include "engine/engine_registry.hpp"

#include <ostream>
#include <span>
#include <stop_token>
#include <string>

namespace pollard::cli {

/// Environment of runCli().
struct RunOptions {
    std::stop_token stop;      ///< stop requested by Ctrl-C
    bool showProgress = false; ///< @p err is a terminal
    ProgressPace pace = {};
};

/// Runs one command of pollard-cli.
/// @param args command line without the program name
/// @param out results, or one JSON object with --json
/// @param err errors, notes and progress
/// @return exit code: 0 done, 1 the work failed or was cancelled, 2 wrong usage
int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options = {});

} // namespace pollard::cli
