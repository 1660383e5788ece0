#pragma once

#include <string>
#include <vector>

namespace pollard {

/// A library used by this build.
struct LibraryVersion {
    std::string name;
    std::string version; ///< run-time version if available, else that of the headers
    std::string licence; ///< SPDX identifier
};

/// The libraries of core, in alphabetical order, for bug reports and citations.
[[nodiscard]] std::vector<LibraryVersion> libraryVersions();

} // namespace pollard
