#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/latest_wins_worker.hpp"
#include "vm/document/jobs/document_jobs.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/image/open_request.hpp"

#include "filter/filter_spec.hpp"
#include "image/image.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace pollard::vm {

class DocumentJobs;

/// The displayed document: image, tree, attributes, filtered image. All null or empty while no document is open.
/// Of a volume, the shown slice is the seen one. Engines outlive it.
struct DocumentContents : ShownSlice {
    OpenRequest request;
    std::shared_ptr<const ImageInfo> info; ///< `fileInfo` with the pixel size set by the user

    TreeSpec treeSpec;
    std::shared_ptr<const Mask> domain;   ///< of the tree
    FilterStages earlier;                 ///< of the tree
    std::optional<PixelSize> earlierSize; ///< for bounds in units of `earlier`
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const DevicePixels> deviceNodes; ///< see TreeResult::nodes; held only while displayed
    Engine* treeEngine = nullptr;                    ///< that built the tree; owner of deviceNodes
    TreeReport treeReport;
    std::map<AttributeId, std::shared_ptr<const AttributeColumn>> attributes;
    std::set<AttributeId> missingAttributes; ///< requested and not measured yet

    /// Facts about the image or the first slice of the volume, for results of its size.
    [[nodiscard]] std::shared_ptr<const ImageInfo> sourceInfo() const;
    /// Index in the tree of the first pixel of `image`, or of the seen slice of a volume.
    [[nodiscard]] std::size_t firstPixel() const noexcept { return image ? slice * image->pixelCount() : 0; }
    /// Whether a filtered image exists: frame.image, or frame.deviceFrame until it arrives.
    [[nodiscard]] bool hasResult() const noexcept { return frame.image || frame.deviceFrame; }
    void adopt(const OpenRequest& of, LoadResult& loaded);
    void adopt(TreeResult& built);
    void adopt(FrameResult& made);
    void adopt(ShownSlice& seen);
    /// An attribute of the tree; null until measured.
    [[nodiscard]] std::shared_ptr<const AttributeColumn> attribute(AttributeId id) const noexcept;
    /// All large data, taken over before its replacement.
    [[nodiscard]] DeferredRelease retire() const;
};

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
    /// Stops the running job, and repeats the request after a job that was just posted.
    void postpone();
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
