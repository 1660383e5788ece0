#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace pollard {

/// Memory available to a new job, in bytes: the least of the free memory of the machine, the rest of the address space
/// of the process (RLIMIT_AS) and the rest of its control groups. At least 1; the largest number if unknown.
[[nodiscard]] std::uint64_t availableMemory();

/// Memory that the control groups of a process leave, in bytes; the largest number if they have no limit. Memory that
/// holds files only counts as free.
/// @param mount where the file systems of control groups are, "/sys/fs/cgroup"
/// @param membership lines of /proc/self/cgroup
[[nodiscard]] std::uint64_t memoryOfGroups(const std::filesystem::path& mount, std::string_view membership);

} // namespace pollard
