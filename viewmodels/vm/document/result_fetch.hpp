#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/job_types.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>

namespace pollard::vm {

class DocumentJobs;
struct DocumentContents;

/// Copies a filtered image from the engine's device to main memory after a pause in the filter requests: during a
/// drag, copying would only delay the next image.
class ResultFetch {
public:
    /// Pause without requests, ms: longer than a frame, too short to be noticed.
    static constexpr int kCalm = 80;

    /// Called with the image on the device and, after success, the same in main memory.
    using Done = std::function<void(const DeviceSlice& slice, const JobOutcome& outcome,
                                    const std::shared_ptr<const Image>& image)>;

    /// @param worker must outlive this
    ResultFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, Done done);

    /// Fetches the image unless another request follows; a repeated request for the same image is ignored.
    void ask(const DeviceSlice& slice);
    /// Drops the request.
    void stop();

private:
    void post();

    LatestWinsWorker& worker_;
    std::shared_ptr<DocumentJobs> jobs_;
    Done done_;
    DeviceSlice wanted_; ///< none without a frame
    QTimer calm_;
};

/// Filters all voxels of a volume on request; the display needs the seen slice only. Other jobs of the
/// document interrupt it.
class VolumeFetch : public QObject {
    Q_OBJECT

public:
    /// All arguments must outlive this.
    VolumeFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, const DocumentContents& shown);

    /// Filters the shown volume as its result; a newer request replaces an older one. Ends with made() or failed(),
    /// unless another result is shown first.
    void request();

    // For the document:
    /// Lets a job that was posted go first.
    void giveWay();
    /// Drops the request, because another tree or image is shown.
    void drop();

signals:
    /// All slices of the shown result.
    void made(const std::shared_ptr<const pollard::Image>& volume);
    void failed(const QString& problem);

private:
    void onMade(LatestWinsWorker::Generation generation, const JobOutcome& outcome,
                const std::shared_ptr<const Image>& volume);

    LatestWinsWorker& worker_;
    std::shared_ptr<DocumentJobs> jobs_;
    const DocumentContents& shown_;
    FilterSpec spec_;                         ///< of the pending job
    LatestWinsWorker::Generation newest_ = 0; ///< the pending job, else 0
};

} // namespace pollard::vm
