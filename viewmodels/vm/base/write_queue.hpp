#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>

namespace pollard::vm {

/// Files to write on a worker, one after another; none replaces another one, and each is written completely even after
/// a stop request.
class WriteQueue {
public:
    using Write = std::function<void()>;
    using Done = std::function<void(const JobOutcome& outcome)>;

    /// @param worker with a Lane::save used only by this queue; must outlive it, except for finish()
    explicit WriteQueue(LatestWinsWorker& worker) : worker_(worker) {}

    /// @param done called with the outcome of this write
    void add(Write write, Done done);
    [[nodiscard]] bool isBusy() const noexcept { return !tasks_.empty(); }
    /// Writes the tasks that the destroyed worker did not start, on this thread, without reports.
    void finish() noexcept;

private:
    struct Task {
        Write write;
        Done done;
        std::atomic<bool> begun = false; ///< not to be repeated after a failure

        Task(Write what, Done then) : write(std::move(what)), done(std::move(then)) {}
    };
    void next();

    LatestWinsWorker& worker_;
    std::deque<std::shared_ptr<Task>> tasks_; ///< the first one is on the worker
};

} // namespace pollard::vm
