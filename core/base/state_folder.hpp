#pragma once

#include <filesystem>

namespace pollard {

/// Where the program keeps what it needs from one start to the next, of the person who runs it:
/// `$XDG_STATE_HOME/pollard`, or `~/.local/state/pollard` where that is not set or no absolute path (XDG Base Directory
/// Specification); `%LOCALAPPDATA%\pollard` on Windows. The folder need not be there.
[[nodiscard]] std::filesystem::path stateFolder();

} // namespace pollard
