#pragma once

#include "program.hpp"

#include "engine/engine_registry.hpp"

#include <ostream>
#include <span>
#include <string>

namespace pollard::cli {

/// Runs one command of pollard-cli, see runProgram().
int runCli(std::span<const std::string> args, std::ostream& out, std::ostream& err, EngineRegistry& registry,
           const RunOptions& options = {});

} // namespace pollard::cli
