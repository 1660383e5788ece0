#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/jobs/document_jobs.hpp"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <memory>

namespace pollard::vm {

class DocumentChoices;
struct DocumentContents;

/// State, progress and errors of a document's jobs.
class DocumentActivity : public QObject {
    Q_OBJECT

public:
    enum class State {
        empty,    ///< no document is open
        loading,  ///< a file is being read (a previous document may still be displayed: hasImage())
        building, ///< a tree is being built
        ready,    ///< image, tree and filtered image are present
        failed,   ///< the last open failed without a previous document; see lastError()
    };

    using QObject::QObject;

    [[nodiscard]] State state() const noexcept { return state_; }
    /// A load, a build or a save waits or runs; DocumentViewModel::cancel() stops it.
    [[nodiscard]] bool isBusy() const noexcept { return busy_; }
    /// A filter job waits or runs.
    [[nodiscard]] bool isFiltering() const noexcept { return filtering_; }
    [[nodiscard]] double progress() const noexcept { return progress_; } ///< 0..1 of the running job
    [[nodiscard]] QString progressText() const { return progressText_; } ///< "Opening x.tif: merge"
    [[nodiscard]] QString lastError() const { return lastError_; }
    /// The file of the last errorOccurred() if no reader supports its format; else empty.
    [[nodiscard]] QString unknownFormatPath() const { return unknownFormatPath_; }

    void update(State state, bool busy, bool filtering);
    void setProgress(double fraction, const QString& text);
    /// Progress of a step of the job @p what; ignored unless isBusy().
    void setStep(double fraction, const QString& what, const QString& stage);
    /// Ends with errorOccurred() unless the job was cancelled.
    /// @param unknownFormatPath see unknownFormatPath()
    void fail(const QString& title, const JobOutcome& outcome, const QString& unknownFormatPath = {});
    void clearError() { lastError_.clear(); }

signals:
    void stateChanged();
    void busyChanged();
    void filteringChanged();
    void progressChanged();
    /// An operation failed without loss of data.
    void errorOccurred(const QString& title, const QString& text);

private:
    State state_ = State::empty;
    bool busy_ = false;
    bool filtering_ = false;
    double progress_ = 0;
    QString progressText_;
    QString lastError_;
    QString unknownFormatPath_;
};

/// Writes images of a document, one after another; none replaces another one.
class DocumentSaving : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this.
    DocumentSaving(LatestWinsWorker& worker, ProgressRelay& progress, std::shared_ptr<DocumentJobs> jobs,
                   const DocumentContents& shown, const DocumentChoices& choices, DocumentActivity& activity);

    /// Writes the filtered image with the tags of the source that still apply; ends with saved(path) or an error.
    /// During a drag this is the image of the last position.
    void saveFiltered(const QString& path);
    /// Filters every page by @p filter and writes the images as the pages of one TIFF; ends with saved(path) or an
    /// error.
    void saveAllPages(const QString& path, const PageFilter& filter);

    // For the document:
    /// Starts the next save if none runs. @param settled the filtered image, null while a filter runs
    void advance(const std::shared_ptr<const Image>& settled);
    void clear() { waiting_.clear(); }
    /// Reports that saves waiting for an image that will not come are cancelled.
    void dropWaiting();
    /// A save runs.
    [[nodiscard]] bool isBusy() const noexcept { return running_; }

signals:
    void saved(const QString& path);
    void queueChanged();

private:
    struct Entry {
        QString path;
        QString what; ///< for the progress display
        std::function<void(const std::shared_ptr<const Image>& image, const JobContext& context)> run;
        std::shared_ptr<const Image> image;
        bool needsFiltered = false; ///< waits for the image of the running filter
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
