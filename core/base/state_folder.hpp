#pragma once

#include <filesystem>

namespace pollard {

/// Folder for files that the program keeps between runs of the current user: `$XDG_STATE_HOME/pollard`, or
/// `~/.local/state/pollard` if that is unset or not an absolute path (XDG Base Directory Specification);
/// `%LOCALAPPDATA%\pollard` on Windows. The folder may not exist.
[[nodiscard]] std::filesystem::path stateFolder();

} // namespace pollard
