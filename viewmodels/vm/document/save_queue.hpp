#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/progress_relay.hpp"
#include "vm/document/document_jobs.hpp"

#include "recipe/result_tags.hpp"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <deque>
#include <functional>
#include <memory>

namespace pollard::vm {

/// Pictures to write, one after another; none replaces another one.
class SaveQueue {
    Q_DECLARE_TR_FUNCTIONS(SaveQueue)

public:
    /// Called with the path of each finished save.
    using Done = std::function<void(const QString& path, const JobOutcome& outcome)>;
    /// A job that writes one file, and its name for the progress display.
    struct Task {
        QString path;
        QString what;
        std::function<void(const JobContext& context)> run;
    };

    /// All arguments must outlive this.
    SaveQueue(LatestWinsWorker& worker, ProgressRelay& progress, std::shared_ptr<DocumentJobs> jobs, Done done);

    /// @param image null for the picture of the running filter: it is written when that is finished
    /// @param info of the source; the file gets those of its tags that are true of @p values
    void add(const QString& path, std::shared_ptr<const Image> image, std::shared_ptr<const ImageInfo> info,
             ResultValues values);
    void add(Task task);
    /// Starts the next one if none runs. @param settled the filtered picture, null while a filter runs
    void advance(const std::shared_ptr<const Image>& settled);
    void clear() { waiting_.clear(); }
    /// Removes saves that wait for a picture that will not come. @returns their paths
    [[nodiscard]] QStringList dropUnmade();
    /// A save runs.
    [[nodiscard]] bool isBusy() const noexcept { return running_; }

private:
    struct Entry {
        Task task; ///< its function is empty until the picture exists
        std::shared_ptr<const Image> image;
        std::shared_ptr<const ImageInfo> info;
        ResultValues values = ResultValues::levels;
    };
    [[nodiscard]] Task taskFor(const Entry& entry) const;

    LatestWinsWorker& worker_;
    ProgressRelay& progress_;
    std::shared_ptr<DocumentJobs> jobs_;
    Done done_;
    std::deque<Entry> waiting_;
    bool running_ = false;
};

} // namespace pollard::vm
