#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace pollard::test {

/// What the system does to files of one folder from now on. The calls read, write, fsync, rename and fopen of this
/// executable, and of the libraries that it loads, go through fault_layer.cpp; other files are left alone.
struct FaultPlan {
    std::filesystem::path folder;
    std::size_t largestTransfer = std::numeric_limits<std::size_t>::max(); ///< bytes of one read or write
    bool interrupt = false; ///< every second read or write is cut by a signal
    std::uint64_t readable = std::numeric_limits<std::uint64_t>::max(); ///< bytes, then EIO
    std::uint64_t writable = std::numeric_limits<std::uint64_t>::max(); ///< bytes, then ENOSPC
    bool syncFails = false;                                             ///< EIO
    std::string syncFailsOf = {};                                       ///< EIO for the file of this name alone
    bool renameFails = false;                                           ///< EACCES
    bool linkFails = false;                                             ///< EPERM, as where there are no hard links
    std::filesystem::path refused = {};                                 ///< a name that no file gets: EACCES
};

/// Puts a plan into force; one at a time.
class Faults {
public:
    explicit Faults(FaultPlan plan);
    ~Faults();
    Faults(const Faults&) = delete;
    Faults& operator=(const Faults&) = delete;

    /// Transfers and calls that the plan had a say in so far.
    [[nodiscard]] std::uint64_t seen() const;

    /// The calls that make files durable and name them, in their order: "sync NAME", "rename NAME", "sync ." for the
    /// folder. A temporary is called by the name that it is made for.
    [[nodiscard]] std::vector<std::string> log() const;
};

} // namespace pollard::test
