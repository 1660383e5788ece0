#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/image/open_request.hpp"

#include "chunks/image_chunks.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// A filter of a whole page at full resolution, as it is proposed to the user.
struct ChunkFilterPlan {
    ChunkRequest job; ///< without target and engines
    std::string engine;
    std::uint64_t available = 0; ///< memory that the program may use, bytes; 0: unknown
    bool wasTooLarge = false;    ///< the last job ended for lack of memory, and this one has smaller chunks
    DocumentServices services;
    std::uint32_t width = 0;  ///< of the page, px
    std::uint32_t height = 0; ///< px
    QStringList criteria;     ///< as applied, a line each
    /// Levels are computed from the values of all pixels of the page, so the shown image may have other levels.
    bool hasOtherLevels = false;
};

/// Filters the whole page in the background, with the filter of the shown part or reduced version. One image at a
/// time; the document can be used and closed meanwhile.
class ChunkFilterViewModel : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this.
    ChunkFilterViewModel(const DocumentViewModel& document, const FilterViewModel& filter, QObject* parent = nullptr);
    /// Stops a running job and keeps its working folder.
    ~ChunkFilterViewModel() override = default;

    /// Why the present filter cannot be applied to the whole page, one line; empty if it can.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    /// States that filters of a reduced version are a preview, or that the present one works on a part; empty if
    /// neither is so, or if dismissed.
    [[nodiscard]] const QString& previewText() const noexcept { return previewText_; }
    /// Whether dismissPreview() was called for the shown image.
    [[nodiscard]] bool isPreviewDismissed() const;

    [[nodiscard]] bool isRunning() const noexcept { return running_; }
    [[nodiscard]] bool isStopping() const noexcept { return running_ && stopping_; } ///< and not ended yet
    [[nodiscard]] double progress() const noexcept { return progress_; }             ///< 0..1
    [[nodiscard]] QString progressText() const; ///< "Whole image: 43 %, about 12 min left"
    [[nodiscard]] QString stage() const { return stage_; }
    [[nodiscard]] const QString& target() const noexcept { return target_; } ///< of the running or last job
    /// The last job is done, and its result was neither opened nor dismissed.
    [[nodiscard]] bool hasResult() const noexcept { return hasResult_; }

    /// Why a file cannot be the target, one line; empty if it can.
    [[nodiscard]] static QString targetProblem(const ChunkFilterPlan& plan, const QString& target);
    /// A job with this target was interrupted, and its working folder is there.
    [[nodiscard]] static bool canResume(const QString& target);

public slots:
    /// Reads the header of the file; ends with planned() or failed().
    void plan();
    /// Ends with written() or failed(), or with neither if it is cancelled. @param resume see canResume()
    void start(const pollard::vm::ChunkFilterPlan& plan, const QString& target, bool resume);
    /// Stops and removes the written files.
    void cancel();
    /// Stops and keeps the written files, to be resumed.
    void interrupt();
    void dismissPreview();
    void dismissResult();

signals:
    void problemChanged();
    void previewChanged();
    void planned(const pollard::vm::ChunkFilterPlan& plan);
    void jobChanged(); ///< isRunning(), progress or result
    void written(const QString& target);
    void failed(const QString& title, const QString& why);

private:
    /// Shared with the thread of a job.
    struct Run {
        std::atomic<bool> hasFolder = false; ///< its own
        std::atomic<bool> isDropped = false;
    };
    [[nodiscard]] QString findProblem() const;
    [[nodiscard]] QString findPreview() const;
    void refreshTexts();
    void takeProgress(double fraction, const QString& stage);
    void stop(bool dropping);
    void end(const JobOutcome& outcome);
    /// What to do after a lack of memory; empty unless the outcome is one. The next plan has chunks of half the size.
    [[nodiscard]] QString adviceAfter(const JobOutcome& outcome);
    void fail(const JobOutcome& outcome, const QString& more);

    const DocumentViewModel& document_;
    const FilterViewModel& filter_;
    QString problem_;
    QString previewText_;
    OpenRequest dismissed_; ///< the image whose previewText() was dismissed
    bool planning_ = false;
    bool running_ = false;
    bool stopping_ = false;
    bool hasResult_ = false;
    QString target_;
    std::uint64_t chunkPixels_ = 0; ///< of the running or last job
    std::uint64_t most_ = 0;        ///< memory for the next plan after a lack of memory; 0: no limit
    QString stage_;
    double progress_ = 0;
    double firstProgress_ = -1; ///< when time_ was started; negative before
    QElapsedTimer time_;
    std::shared_ptr<Run> run_;
    ProgressRelay relay_;
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::vm
