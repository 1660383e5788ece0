#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pollard {

/// Facts for a crash log, collected at the start.
struct ProgramFacts {
    std::string name;               ///< "pollard-cli"; no slashes
    std::string version;            ///< "0.1.0"
    std::vector<std::string> lines; ///< further lines, such as "engines: cuda, cpu"
};

/// Number of logs kept; keepCrashLogs() removes older ones.
inline constexpr int kMostCrashLogs = 5;

/// Folder of the user's crash logs: "crashes" in stateFolder().
[[nodiscard]] std::filesystem::path crashFolder();

/// Installs handlers: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT and std::terminate() write a log into @p folder, then
/// the process ends as it would without them. A log has time, version, signal, type of an uncaught exception, system,
/// NVIDIA driver, @p facts and a backtrace; it names none of the user's files, and nothing is sent.
///
/// The folder is created with the first log. The handlers are async-signal-safe. Does nothing on systems without
/// signals or backtraces. Call once, at the start, from the main thread.
void keepCrashLogs(const std::filesystem::path& folder, const ProgramFacts& facts);

/// A log file.
struct CrashLog {
    std::filesystem::path path;
    std::string program;
    long process = 0; ///< process id
};

/// The logs in a folder, latest first; empty if there is no folder.
[[nodiscard]] std::vector<CrashLog> crashLogs(const std::filesystem::path& folder);

} // namespace pollard
