#pragma once

#include "base/crash_log.hpp"
#include "engine/engine_registry.hpp"

#include <string>

namespace pollard {

/// Facts about a program for crash logs: its engines and the libraries of core. Does not access devices.
[[nodiscard]] ProgramFacts programFacts(std::string name, std::string version, const EngineRegistry& engines);

} // namespace pollard
