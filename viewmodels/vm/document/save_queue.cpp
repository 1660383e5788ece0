#include "vm/document/save_queue.hpp"

#include <QFileInfo>

#include <utility>

namespace pollard::vm {

SaveQueue::SaveQueue(LatestWinsWorker& worker, ProgressRelay& progress, std::shared_ptr<DocumentJobs> jobs, Done done)
    : worker_(worker), progress_(progress), jobs_(std::move(jobs)), done_(std::move(done)) {}

void SaveQueue::add(const QString& path, std::shared_ptr<const Image> image, std::shared_ptr<const ImageInfo> info,
                    ResultValues values) {
    waiting_.push_back(
        {{path, tr("Saving %1").arg(QFileInfo(path).fileName()), {}}, std::move(image), std::move(info), values});
}

void SaveQueue::add(Task task) { waiting_.push_back({std::move(task), nullptr, nullptr, {}}); }

void SaveQueue::advance(const std::shared_ptr<const Image>& settled) {
    if (running_ || waiting_.empty()) {
        return;
    }
    Entry& next = waiting_.front();
    if (!next.task.run && !next.image) {
        if (!settled) {
            return;
        }
        next.image = settled;
    }
    const Task task = taskFor(next);
    waiting_.pop_front();
    running_ = true;
    auto job = [run = task.run, report = progress_.forJob(task.what)](const std::stop_token& stop) {
        run({stop, report});
    };
    auto done = [this, path = task.path](LatestWinsWorker::Generation, const JobOutcome& outcome) {
        running_ = false;
        done_(path, outcome);
    };
    worker_.post(Lane::save, std::move(job), std::move(done));
}

SaveQueue::Task SaveQueue::taskFor(const Entry& entry) const {
    if (entry.task.run) {
        return entry.task;
    }
    Task task = entry.task;
    task.run = [jobs = jobs_, path = QFileInfo(task.path).filesystemFilePath(), image = entry.image,
                options = resultOptions(*entry.info, entry.values)](const JobContext& context) {
        jobs->save(path, *image, options, context);
    };
    return task;
}

QStringList SaveQueue::dropUnmade() {
    QStringList paths;
    std::deque<Entry> made;
    for (Entry& entry : waiting_) {
        if (entry.task.run || entry.image) {
            made.push_back(std::move(entry));
        } else {
            paths << entry.task.path;
        }
    }
    waiting_ = std::move(made);
    return paths;
}

} // namespace pollard::vm
