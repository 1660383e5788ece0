#include "base/system.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace pollard {

namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// The first number in a file, or the number after a word.
std::optional<std::uint64_t> numberIn(const std::filesystem::path& path, std::string_view word = {}) {
    std::ifstream file(path);
    std::string key;
    while (!word.empty() && file >> key && key != word) {
        std::getline(file, key);
    }
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

std::uint64_t ofMachine() {
    constexpr unsigned kKibi = 10;
    const auto free = numberIn("/proc/meminfo", "MemAvailable:");
    return free ? *free << kKibi : kUnknown;
}

std::uint64_t ofAddressSpace() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return kUnknown;
    }
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t used = numberIn("/proc/self/statm").value_or(0) * page;
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

std::atomic<std::uint64_t> limitOfProcess = 0; ///< see limitMemory()

std::uint64_t ofOwnLimit() {
    const std::uint64_t limit = limitOfProcess;
    if (limit == 0) {
        return kUnknown;
    }
    std::ifstream file("/proc/self/statm");
    std::uint64_t whole = 0;
    std::uint64_t resident = 0;
    std::uint64_t ofFiles = 0; // code and data of libraries
    file >> whole >> resident >> ofFiles;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t used = (resident - std::min(resident, ofFiles)) * page;
    return limit > used ? limit - used : 0;
}

/// Names of files of a version of control groups.
struct GroupFiles {
    const char* limit;
    const char* usage;
    const char* files; ///< in memory.stat: memory of files that are not in use
};
constexpr GroupFiles kUnified{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kLegacy{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

std::uint64_t restOf(const std::filesystem::path& group, const GroupFiles& names) {
    const auto limit = numberIn(group / names.limit);
    if (!limit) { // "max", or no such file
        return kUnknown;
    }
    const std::uint64_t usage = numberIn(group / names.usage).value_or(0);
    const std::uint64_t used = usage - std::min(usage, numberIn(group / "memory.stat", names.files).value_or(0));
    return *limit > used ? *limit - used : 0;
}

/// Memory left in a group and in the groups that contain it.
std::uint64_t leastRest(const std::filesystem::path& mount, std::string_view group, const GroupFiles& names) {
    std::filesystem::path inside = std::filesystem::path(group).relative_path();
    std::uint64_t least = restOf(mount, names);
    for (; !inside.empty(); inside = inside.parent_path()) {
        least = std::min(least, restOf(mount / inside, names));
    }
    return least;
}

std::string membershipOfProcess() {
    std::ifstream file("/proc/self/cgroup");
    return {std::istreambuf_iterator<char>(file), {}};
}

std::filesystem::path folderIn(const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path folder(value == nullptr ? "" : value);
    return folder.is_absolute() ? folder : std::filesystem::path();
}

} // namespace

void requireAvailable(const std::string& work, std::uint64_t bytes) {
    if (const std::uint64_t free = availableMemory(); bytes > free) {
        throw Error(ErrorCode::outOfMemory,
                    work + ": about " + bytesText(bytes) + " of memory needed, " + bytesText(free) + " free");
    }
}

std::uint64_t memoryOfGroups(const std::filesystem::path& mount, std::string_view membership) {
    // A line is "0::/group" or, of version 1, "4:memory:/group".
    std::uint64_t least = std::min(leastRest(mount, {}, kUnified), leastRest(mount / "memory", {}, kLegacy));
    while (!membership.empty()) {
        const std::string_view line = membership.substr(0, membership.find('\n'));
        membership.remove_prefix(std::min(line.size() + 1, membership.size()));
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', std::min(first, line.size() - 1) + 1);
        if (line.empty() || first == std::string_view::npos || second == std::string_view::npos) {
            continue;
        }
        const std::string controllers = ',' + std::string(line.substr(first + 1, second - first - 1)) + ',';
        const std::string_view group = line.substr(second + 1);
        if (controllers == ",,") {
            least = std::min(least, leastRest(mount, group, kUnified));
        } else if (controllers.find(",memory,") != std::string::npos) {
            least = std::min(least, leastRest(mount / "memory", group, kLegacy));
        }
    }
    return least;
}

std::uint64_t availableMemory() {
    const std::uint64_t ofGroups = memoryOfGroups("/sys/fs/cgroup", membershipOfProcess());
    return std::max<std::uint64_t>(std::min({ofMachine(), ofAddressSpace(), ofGroups, ofOwnLimit()}), 1);
}

void limitMemory(std::uint64_t bytes) noexcept { limitOfProcess = bytes; }

std::filesystem::path stateFolder() {
    std::filesystem::path folder = folderIn("XDG_STATE_HOME");
    if (folder.empty()) {
#ifdef _WIN32
        folder = folderIn("LOCALAPPDATA");
#else
        const std::filesystem::path home = folderIn("HOME");
        folder = (home.empty() ? std::filesystem::path("/") : home) / ".local/state";
#endif
    }
    return folder / "pollard";
}

std::size_t writeAt(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset) noexcept {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t written = ::pwrite(descriptor, static_cast<const std::byte*>(data) + done, bytes - done,
                                         static_cast<off_t>(offset + done));
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (written == 0 || errno != EINTR) {
            break;
        }
    }
    return done;
}

std::optional<std::size_t> readAt(int descriptor, void* data, std::size_t bytes, std::uint64_t offset) noexcept {
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t got =
            ::pread(descriptor, static_cast<std::byte*>(data) + done, bytes - done, static_cast<off_t>(offset + done));
        if (got > 0) {
            done += static_cast<std::size_t>(got);
        } else if (got == 0) {
            break;
        } else if (errno != EINTR) {
            return std::nullopt;
        }
    }
    return done;
}

} // namespace pollard
