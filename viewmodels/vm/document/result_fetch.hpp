#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "engine/device_pixels.hpp"
#include "image/image.hpp"

#include <QTimer>

#include <functional>
#include <memory>

namespace pollard::vm {

class DocumentJobs;

/// Copies a filtered picture from the engine's device to main memory after a pause in the filter requests: during a
/// drag, copying would only delay the next picture.
class ResultFetch {
public:
    /// Pause without requests, ms: longer than a frame, too short to be noticed.
    static constexpr int kCalm = 80;

    /// Called with the frame and, after success, the same picture in main memory.
    using Done = std::function<void(const std::shared_ptr<const DeviceFrame>& frame, const JobOutcome& outcome,
                                    const std::shared_ptr<const Image>& image)>;

    /// @param worker must outlive this
    ResultFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, Done done);

    /// Fetches the picture unless another request follows; a repeated request for the same picture is ignored.
    void ask(const std::shared_ptr<const DeviceFrame>& frame);
    /// Drops the request.
    void stop();

private:
    void post();

    LatestWinsWorker& worker_;
    std::shared_ptr<DocumentJobs> jobs_;
    Done done_;
    std::shared_ptr<const DeviceFrame> wanted_;
    QTimer calm_;
};

} // namespace pollard::vm
