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

/// The pictures that are to be written, one after the other; none replaces another one.
class SaveQueue {
    Q_DECLARE_TR_FUNCTIONS(SaveQueue)

public:
    /// Called with the path of each save that ended.
    using Done = std::function<void(const QString& path, const JobOutcome& outcome)>;
    /// A job that writes one file, and what to call it while it runs.
    struct Task {
        QString path;
        QString what;
        std::function<void(const JobContext& context)> run;
    };

    /// All of it must outlive this.
    SaveQueue(LatestWinsWorker& worker, ProgressRelay& progress, std::shared_ptr<DocumentJobs> jobs, Done done);

    /// @param image null for the picture of the filter that is under way: it is written when that is through
    /// @param info of the source, whose tags the file gets as far as they are true of @p values
    void add(const QString& path, std::shared_ptr<const Image> image, std::shared_ptr<const ImageInfo> info,
             ResultValues values);
    void add(Task task);
    /// Starts the next one if none runs. @param settled the filtered picture, null while a filter is under way
    void advance(const std::shared_ptr<const Image>& settled);
    void clear() { waiting_.clear(); }
    /// Takes out what waits for a picture that will not come. @returns their paths
    [[nodiscard]] QStringList dropUnmade();
    /// One runs.
    [[nodiscard]] bool isBusy() const noexcept { return running_; }

private:
    struct Entry {
        Task task; ///< without a function until there is a picture
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
