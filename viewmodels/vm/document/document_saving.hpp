#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/base/progress_relay.hpp"
#include "vm/document/document_jobs.hpp"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <memory>

namespace pollard::vm {

class DocumentActivity;
class DocumentChoices;
struct DocumentContents;

/// Writes images of a document, one after another; none replaces another one.
class DocumentSaving : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this.
    DocumentSaving(LatestWinsWorker& worker, ProgressRelay& progress, std::shared_ptr<DocumentJobs> jobs,
                   const DocumentContents& shown, const DocumentChoices& choices, DocumentActivity& activity);

    /// Writes the filtered image with those tags of the source that are true of it; ends with saved(path) or an
    /// error. During a drag it is the image of the last position.
    void saveFiltered(const QString& path);
    /// Filters every page by @p filter and writes the images as the pages of one TIFF; ends with saved(path) or an
    /// error.
    void saveAllPages(const QString& path, const PageFilter& filter);

    // For the document:
    /// Starts the next save if none runs. @param settled the filtered image, null while a filter runs
    void advance(const std::shared_ptr<const Image>& settled);
    void clear() { waiting_.clear(); }
    /// Reports that saves waiting for an image that will not come are cancelled.
    void dropUnmade();
    /// A save runs.
    [[nodiscard]] bool isBusy() const noexcept { return running_; }

signals:
    void saved(const QString& path);
    void queueChanged();

private:
    struct Entry {
        QString path;
        QString what; ///< for the progress display
        std::function<void(const Image* image, const JobContext& context)> run;
        std::shared_ptr<const Image> image;
        bool needsFiltered = false; ///< image is that of the running filter
    };
    void add(Entry entry);
    void onSaved(const QString& path, const JobOutcome& outcome);

    LatestWinsWorker& worker_;
    ProgressRelay& progress_;
    std::shared_ptr<DocumentJobs> jobs_;
    const DocumentContents& shown_;
    const DocumentChoices& choices_;
    DocumentActivity& activity_;
    std::deque<Entry> waiting_;
    bool running_ = false;
};

} // namespace pollard::vm
