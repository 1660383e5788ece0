#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace pollard::vm {

/// Threads for the tasks of several owners. Every task starts at once, on a free thread or on a new one, so no task
/// waits for another; threads stay for later tasks. (The threads of a QThreadPool are not joined at the end of the
/// program.)
class JobThreads {
public:
    JobThreads() = default;
    JobThreads(const JobThreads&) = delete;
    JobThreads& operator=(const JobThreads&) = delete;
    /// Joins after the last task; not called by a task.
    ~JobThreads() = default;

    /// The threads of this process. Each owner of tasks keeps the pointer until its tasks have ended, so that the last
    /// owner joins the threads.
    [[nodiscard]] static std::shared_ptr<JobThreads> shared();

    /// @param task throws nothing
    void start(std::function<void()> task);
    [[nodiscard]] std::size_t threadCount() const;

private:
    void run(const std::stop_token& stop);

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::deque<std::function<void()>> tasks_; ///< not started yet; never more than free threads
    std::size_t free_ = 0;                    ///< threads without a task
    std::vector<std::jthread> threads_;       ///< last: joined before the other members are destroyed
};

} // namespace pollard::vm
