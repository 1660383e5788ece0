#include "vm/base/job_threads.hpp"

#include <utility>

namespace pollard::vm {

std::shared_ptr<JobThreads> JobThreads::shared() {
    static std::mutex mutex;
    static std::weak_ptr<JobThreads> present;
    const std::scoped_lock lock(mutex);
    std::shared_ptr<JobThreads> threads = present.lock();
    if (!threads) {
        present = threads = std::make_shared<JobThreads>();
    }
    return threads;
}

void JobThreads::start(std::function<void()> task) {
    {
        const std::scoped_lock lock(mutex_);
        if (tasks_.size() == free_) {
            threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
            ++free_;
        }
        tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
}

std::size_t JobThreads::threadCount() const {
    const std::scoped_lock lock(mutex_);
    return threads_.size();
}

void JobThreads::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !tasks_.empty(); })) {
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        --free_;
        lock.unlock();
        task();
        task = {};
        lock.lock();
        ++free_;
    }
}

} // namespace pollard::vm
