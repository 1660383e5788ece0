#include "vm/base/file_export.hpp"

#include <QFileInfo>

#include <exception>
#include <utility>

namespace pollard::vm {

void FileExport::write(const QString& path, const QString& title, Writer writer) {
    busy_ = true;
    emit availableChanged();
    const QFileInfo target(path);
    worker_.post(
        Lane::save,
        [writer = std::move(writer), file = target.filesystemAbsoluteFilePath()](const std::stop_token& stop) {
            writer(file, JobControl(stop));
        },
        [this, title, written = target.absoluteFilePath()](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            busy_ = false;
            emit availableChanged();
            if (outcome.ok()) {
                emit saved(written);
            } else {
                emit failed(title, QString::fromStdString(outcome.message));
            }
        });
}

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
