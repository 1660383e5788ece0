#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pollard {

/// What a crash log says of the program. It is made ready before anything goes wrong.
struct ProgramFacts {
    std::string name;               ///< "pollard-cli"; no slashes
    std::string version;            ///< "0.1.0"
    std::vector<std::string> lines; ///< more lines, "engines: cuda, cpu"
};

/// So many logs stay; older ones go at the next start.
inline constexpr int kMostCrashLogs = 5;

/// Where crash logs of the person who runs the program are: "crashes" in stateFolder().
[[nodiscard]] std::filesystem::path crashFolder();

/// From now on a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT, and so std::terminate, writes a log into @p folder before
/// the process ends as it would have done: time, version, signal (of an exception that nobody caught its type), system,
/// NVIDIA driver, @p facts and a backtrace. No file that the program works on is named, and nothing is sent.
///
/// The folder is made when it is needed. What runs after the signal is async-signal-safe. Nothing is done where the
/// system has neither signals nor backtraces. Call it once, at the start, from the main thread.
void keepCrashLogs(const std::filesystem::path& folder, const ProgramFacts& facts);

/// A log that is there.
struct CrashLog {
    std::filesystem::path path;
    std::string program;
    long process = 0; ///< its number
};

/// The logs in a folder, the latest first; none if there is no folder.
[[nodiscard]] std::vector<CrashLog> crashLogs(const std::filesystem::path& folder);

} // namespace pollard
