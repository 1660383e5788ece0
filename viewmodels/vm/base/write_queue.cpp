#include "vm/base/write_queue.hpp"

#include <exception>
#include <utility>

namespace pollard::vm {

void WriteQueue::add(Write write, Done done) {
    tasks_.push_back(std::make_shared<Task>(std::move(write), std::move(done)));
    if (tasks_.size() == 1) {
        next();
    }
}

void WriteQueue::next() {
    worker_.post(
        Lane::save,
        [task = tasks_.front()](const std::stop_token&) {
            task->begun = true;
            task->write();
        },
        [this](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            const std::shared_ptr<Task> task = tasks_.front();
            tasks_.pop_front();
            if (!tasks_.empty()) {
                next();
            }
            task->done(outcome);
        });
}

void WriteQueue::finish() noexcept {
    for (const std::shared_ptr<Task>& task : tasks_) {
        try {
            if (!task->begun) {
                task->write();
            }
        } catch (const std::exception&) { // no receiver for a report is left
            continue;
        }
    }
    tasks_.clear();
}

} // namespace pollard::vm
