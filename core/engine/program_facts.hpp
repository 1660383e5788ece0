#pragma once

#include "base/crash_log.hpp"
#include "engine/engine_registry.hpp"

#include <string>

namespace pollard {

/// What crash logs say of a program: its engines, and the libraries of core. No device is looked at.
[[nodiscard]] ProgramFacts programFacts(std::string name, std::string version, const EngineRegistry& engines);

} // namespace pollard
