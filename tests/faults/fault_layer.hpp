#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace pollard::test {

/// Simulated errors for files of one folder. Calls of read, pread, write, pwrite, fsync, fdatasync, syncfs, rename,
/// renameat2 and fopen in this executable and its libraries go through fault_layer.cpp; other files are not affected.
/// Files of the folder are not really made durable.
struct FaultPlan {
    std::filesystem::path folder = {};
    std::size_t largestTransfer = std::numeric_limits<std::size_t>::max(); ///< bytes per read or write
    bool interrupt = false;                                                ///< EINTR for every second read or write
    std::uint64_t readable = std::numeric_limits<std::uint64_t>::max();    ///< bytes, then EIO
    std::uint64_t writable = std::numeric_limits<std::uint64_t>::max();    ///< bytes, then ENOSPC
    bool syncFails = false;                                                ///< EIO
    std::string syncFailsOf = {};                                          ///< EIO only for the file of this name
    bool renameFails = false;                                              ///< EACCES
    bool renameFlagsFail = false;       ///< EINVAL, as on file systems that cannot rename without replacing
    bool linkFails = false;             ///< EPERM, as on file systems without hard links
    std::filesystem::path refused = {}; ///< a name that cannot be created: EACCES
};

/// Activates a plan during its lifetime; one at a time.
class Faults {
public:
    explicit Faults(FaultPlan plan);
    ~Faults();
    Faults(const Faults&) = delete;
    Faults& operator=(const Faults&) = delete;

    /// Number of calls affected by the plan.
    [[nodiscard]] std::uint64_t seen() const;

    /// The calls that sync and rename files and folders, in order: "sync NAME", "rename NAME", "sync ." for the folder.
    /// Temporaries have the names of their targets.
    [[nodiscard]] std::vector<std::string> log() const;
};

} // namespace pollard::test
