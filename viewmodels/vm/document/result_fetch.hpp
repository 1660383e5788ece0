#pragma once

#include "vm/base/latest_wins_worker.hpp"

#include "engine/device_frame.hpp"
#include "image/image.hpp"

#include <QTimer>

#include <functional>
#include <memory>

namespace pollard::vm {

class DocumentJobs;

/// Brings a filtered picture that stayed on the engine's device to main memory, once the filter has been left alone for
/// a moment: while somebody drags, copying would only hold up the next picture.
class ResultFetch {
public:
    /// How long nothing must have been asked for, ms: longer than a frame, too short to be waited for.
    static constexpr int kCalm = 80;

    /// Called with the frame and, if all went well, the same picture.
    using Done = std::function<void(const std::shared_ptr<const DeviceFrame>& frame, const JobOutcome& outcome,
                                    const std::shared_ptr<const Image>& image)>;

    /// @param worker must outlive this
    ResultFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, Done done);

    /// Fetches the picture if nothing else is asked for meanwhile; asking again for the same one changes nothing.
    void ask(const std::shared_ptr<const DeviceFrame>& frame);
    /// Lets go of what was asked for.
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
