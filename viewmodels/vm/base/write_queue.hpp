#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

namespace pollard::vm {

/// Files that are to be written on a worker, one after the other; none replaces another one, and each is written whole,
/// whatever asks it to stop.
class WriteQueue {
public:
    using Write = std::function<void()>;
    using Done = std::function<void(const JobOutcome& outcome)>;

    /// @param worker whose Lane::save is this one's alone; must outlive it, but for finish()
    explicit WriteQueue(LatestWinsWorker& worker) : worker_(worker) {}

    /// @param done is called with the end of this one
    void add(Write write, Done done);
    [[nodiscard]] bool isBusy() const noexcept { return !tasks_.empty(); }
    /// Writes on this thread what the worker, which is gone, did not. Nobody is told.
    void finish() noexcept;

private:
    struct Task {
        Write write;
        Done done;
        std::atomic<bool> begun = false; ///< it fails or it does not: not twice

        Task(Write what, Done then) : write(std::move(what)), done(std::move(then)) {}
    };
    void next();

    LatestWinsWorker& worker_;
    std::deque<std::shared_ptr<Task>> tasks_; ///< the first is on the worker
};

} // namespace pollard::vm
