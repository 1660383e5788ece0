#pragma once

#include <string>
#include <vector>

namespace pollard {

/// A library that this build uses.
struct LibraryVersion {
    std::string name;
    std::string version; ///< of the library at work where it can be asked, else of its headers
    std::string licence; ///< SPDX identifier
};

/// The libraries of core, in alphabetical order. For people who report a problem or cite what they used.
[[nodiscard]] std::vector<LibraryVersion> libraryVersions();

} // namespace pollard
