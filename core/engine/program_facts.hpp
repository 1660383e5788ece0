#pragma once

#include "base/crash_log.hpp"
#include "engine/engine_registry.hpp"

#include <string>
#include <vector>

namespace pollard {

/// A library used by this build.
struct LibraryVersion {
    std::string name;
    std::string version; ///< run-time version if available, else the version of the headers
    std::string licence; ///< SPDX identifier
};

/// The libraries of core, in alphabetical order, for bug reports and citations.
[[nodiscard]] std::vector<LibraryVersion> libraryVersions();

/// Facts about a program for crash logs: its engines and the libraries of core. Does not access devices.
[[nodiscard]] ProgramFacts programFacts(std::string name, std::string version, const EngineRegistry& engines);

} // namespace pollard
