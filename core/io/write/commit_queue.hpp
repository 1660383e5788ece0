#pragma once

#include "io/write/atomic_file.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pollard {

/// Commits sets of files on a thread of its own, so that the threads that write files do not wait for the disk. Gathers
/// sets for kPatience, or until there are kMostFiles / 2 files, and commits them together, see
/// AtomicFile::commitSets(): a disk takes little longer for 64 small files than for four.
class CommitQueue {
public:
    /// Receives the failure of a set, null on success, on the thread of the queue; must not throw.
    using Ended = std::function<void(const std::exception_ptr& failure)>;

    CommitQueue();
    ~CommitQueue(); ///< after all sets are committed
    CommitQueue(const CommitQueue&) = delete;
    CommitQueue& operator=(const CommitQueue&) = delete;

    /// Waits while kMostFiles files or more wait, each of which is open.
    void add(AtomicFile::FileSet files, Ended ended);

    static constexpr std::size_t kMostFiles = 128;
    static constexpr std::chrono::milliseconds kPatience{100};

private:
    void run();
    static void commit(const std::vector<AtomicFile::FileSet>& sets, const std::vector<Ended>& ended);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<AtomicFile::FileSet> sets_; ///< waiting
    std::vector<Ended> ended_;              ///< of the sets
    std::size_t files_ = 0;                 ///< in the sets
    bool isLast_ = false;                   ///< no sets follow
    std::thread thread_;
};

} // namespace pollard
