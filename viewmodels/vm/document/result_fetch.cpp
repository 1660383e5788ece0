#include "vm/document/result_fetch.hpp"

#include "vm/document/document_jobs.hpp"

#include <utility>

namespace pollard::vm {

ResultFetch::ResultFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, Done done)
    : worker_(worker), jobs_(std::move(jobs)), done_(std::move(done)) {
    calm_.setSingleShot(true);
    calm_.setInterval(kCalm);
    QObject::connect(&calm_, &QTimer::timeout, &calm_, [this] { post(); });
}

void ResultFetch::ask(const std::shared_ptr<const DeviceFrame>& frame) {
    if (frame != wanted_) {
        stop();
        wanted_ = frame;
        calm_.start();
    }
}

void ResultFetch::stop() {
    calm_.stop();
    if (std::exchange(wanted_, nullptr)) {
        worker_.stop(Lane::fetch);
    }
}

void ResultFetch::post() {
    worker_.post(
        Lane::fetch,
        [jobs = jobs_, frame = wanted_](const std::stop_token& stop) { return jobs->fetch(*frame, JobControl(stop)); },
        [this](const JobOutcome& outcome, const std::shared_ptr<const Image>& image) {
            const auto frame = std::exchange(wanted_, nullptr);
            done_(frame, outcome, image);
        });
}

} // namespace pollard::vm
