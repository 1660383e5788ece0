#include "vm/document/document_contents.hpp"

#include "vm/document/jobs/document_jobs.hpp"

#include <functional>
#include <utility>

namespace pollard::vm {

void DocumentContents::adopt(const OpenRequest& of, LoadResult& loaded) {
    request = of;
    info = loaded.tree.shown.fileInfo;
    adopt(loaded.tree);
}

void DocumentContents::adopt(TreeResult& built) {
    static_cast<ShownImage&>(*this) = std::move(built.shown);
    treeSpec = std::move(built.spec);
    domain = std::move(built.domain);
    earlier = std::move(built.earlier);
    earlierSize = std::move(built.pixelSize);
    tree = std::move(built.tree);
    deviceNodes = std::move(built.nodes);
    treeEngine = built.engine.engine;
    treeReport = std::move(built.report);
    attributes.clear();
    missingAttributes.clear();
    for (auto& [id, column] : built.attributes) {
        attributes[id] = std::move(column);
    }
    adopt(built.frame);
}

void DocumentContents::adopt(FrameResult& made) {
    frame = std::move(made);
    if (frame.takenOver) { // the device that kept deviceNodes failed
        deviceNodes.reset();
    }
}

void DocumentContents::adopt(ShownSlice& seen) {
    static_cast<ShownImage&>(*this) = std::move(static_cast<ShownImage&>(seen));
    info = fileInfo;
    adopt(seen.frame);
}

std::shared_ptr<const ImageInfo> DocumentContents::sourceInfo() const {
    if (!volume) {
        return info;
    }
    auto first = std::make_shared<ImageInfo>(*info);
    first->page = request.page;
    return first;
}

std::shared_ptr<const AttributeColumn> DocumentContents::attribute(AttributeId id) const noexcept {
    const auto found = attributes.find(id);
    return found == attributes.end() ? nullptr : found->second;
}

DeferredRelease DocumentContents::retire() const {
    DeferredRelease data;
    data.hold(std::make_shared<const ShownSlice>(*this));
    data.hold(tree);
    data.hold(deviceNodes);
    for (const auto& [id, column] : attributes) {
        data.hold(column);
    }
    return data;
}

ResultFetch::ResultFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, Done done)
    : worker_(worker), jobs_(std::move(jobs)), done_(std::move(done)) {
    calm_.setSingleShot(true);
    calm_.setInterval(kCalm);
    QObject::connect(&calm_, &QTimer::timeout, &calm_, [this] { post(); });
}

void ResultFetch::ask(const DeviceSlice& slice) {
    if (slice != wanted_) {
        stop();
        wanted_ = slice;
        calm_.start();
    }
}

void ResultFetch::stop() {
    calm_.stop();
    if (std::exchange(wanted_, {}).frame) {
        worker_.stop(Lane::fetch);
    }
}

void ResultFetch::post() {
    worker_.post(
        Lane::fetch,
        [jobs = jobs_, slice = wanted_](const std::stop_token& stop) { return jobs->fetch(slice, JobControl(stop)); },
        [this](const JobOutcome& outcome, const std::shared_ptr<const Image>& image) {
            const DeviceSlice slice = std::exchange(wanted_, {});
            done_(slice, outcome, image);
        });
}

VolumeFetch::VolumeFetch(LatestWinsWorker& worker, std::shared_ptr<DocumentJobs> jobs, const DocumentContents& shown)
    : worker_(worker), jobs_(std::move(jobs)), shown_(shown) {}

void VolumeFetch::request() {
    if (!shown_.volume || !shown_.hasResult() || (newest_ != 0 && spec_ == shown_.frame.spec)) {
        return;
    }
    worker_.stop(Lane::voxels);
    spec_ = shown_.frame.spec;
    newest_ = worker_.post(
        Lane::voxels,
        [jobs = jobs_, volume = shown_.volume, spec = spec_](const std::stop_token& stop) {
            return jobs->filterVolume(volume.get(), spec, JobContext{stop, {}});
        },
        std::bind_front(&VolumeFetch::onMade, this));
}

void VolumeFetch::postpone() {
    if (newest_ != 0) {
        worker_.cancel(Lane::voxels);
    }
}

void VolumeFetch::drop() {
    if (std::exchange(newest_, 0) != 0) {
        worker_.stop(Lane::voxels);
    }
}

void VolumeFetch::onMade(LatestWinsWorker::Generation generation, const JobOutcome& outcome,
                         const std::shared_ptr<const Image>& volume) {
    if (generation != newest_) {
        return;
    }
    newest_ = 0;
    if (outcome.kind == JobOutcome::Kind::cancelled) {
        request(); // repeated after the other job
    } else if (spec_ != shown_.frame.spec) {
        return; // the new result is requested again
    } else if (outcome.ok()) {
        emit made(volume);
    } else {
        emit failed(QString::fromStdString(outcome.message));
    }
}

} // namespace pollard::vm
