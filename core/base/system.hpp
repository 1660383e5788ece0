#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pollard {

/// Memory available to a new job, in bytes: the least of the free memory of the machine, the rest of the address space
/// of the process (RLIMIT_AS), the rest of its control groups and the rest of limitMemory(). At least 1; the largest
/// number if unknown.
[[nodiscard]] std::uint64_t availableMemory();

/// Sets the memory that the process may take, in bytes; 0: no limit of its own. Applies to jobs that start later.
void limitMemory(std::uint64_t bytes) noexcept;

/// Size of a job that starts without a look at availableMemory(), which reads several files.
inline constexpr std::uint64_t kSmallJobBytes = std::uint64_t{64} << 20U;

/// Checks before a job that its memory is available.
/// @param work what needs it, for the message: "watershed: image of 640 x 480 px"
/// @throws Error(outOfMemory)
void requireAvailable(const std::string& work, std::uint64_t bytes);

/// Memory that the control groups of a process leave, in bytes; the largest number if they have no limit. Memory that
/// only caches files counts as free.
/// @param mount folder of the file systems of control groups, "/sys/fs/cgroup"
/// @param membership lines of /proc/self/cgroup
[[nodiscard]] std::uint64_t memoryOfGroups(const std::filesystem::path& mount, std::string_view membership);

/// Folder for files that the program keeps between runs of the current user: `$XDG_STATE_HOME/pollard`, or
/// `~/.local/state/pollard` if that is unset or not an absolute path (XDG Base Directory Specification);
/// `%LOCALAPPDATA%\pollard` on Windows. The folder may not exist.
[[nodiscard]] std::filesystem::path stateFolder();

/// Writes bytes at a place of an open file.
/// @return number of written bytes; if it is smaller than @p bytes, errno has the reason
[[nodiscard]] std::size_t writeAt(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset) noexcept;

/// Reads bytes at a place of an open file.
/// @return number of read bytes, smaller than @p bytes at the end of the file; nothing after a failure, whose reason is
/// in errno
[[nodiscard]] std::optional<std::size_t> readAt(int descriptor, void* data, std::size_t bytes,
                                                std::uint64_t offset) noexcept;

} // namespace pollard
