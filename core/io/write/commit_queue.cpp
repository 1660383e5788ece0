#include "io/write/commit_queue.hpp"

#include <utility>

namespace pollard {

CommitQueue::CommitQueue() : thread_([this] { run(); }) {}

CommitQueue::~CommitQueue() {
    {
        const std::lock_guard lock(mutex_);
        isLast_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void CommitQueue::add(AtomicFile::FileSet files, Ended ended) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return files_ < kMostFiles; });
    files_ += files.size();
    ended_.push_back(std::move(ended));
    sets_.push_back(std::move(files));
    changed_.notify_all();
}

void CommitQueue::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return isLast_ || !sets_.empty(); });
        if (sets_.empty()) {
            return;
        }
        changed_.wait_for(lock, kPatience, [this] { return isLast_ || files_ >= kMostFiles / 2; });
        const auto sets = std::exchange(sets_, {});
        const auto ended = std::exchange(ended_, {});
        files_ = 0;
        changed_.notify_all();
        lock.unlock();
        commit(sets, ended);
        lock.lock();
    }
}

void CommitQueue::commit(const std::vector<AtomicFile::FileSet>& sets, const std::vector<Ended>& ended) {
    std::vector<std::exception_ptr> failures;
    try {
        failures = AtomicFile::commitSets(sets);
    } catch (const std::exception&) { // no memory
        failures.assign(sets.size(), std::current_exception());
    }
    for (std::size_t i = 0; i < sets.size(); ++i) {
        ended[i](failures[i]);
    }
}

} // namespace pollard
