#include "cuda/cuda_engine.hpp"

#include "base/error.hpp"
#include "cuda/components/device_labeller.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_probe.hpp"
#include "cuda/gl/gl_texture_target.hpp"
#include "cuda/hierarchy/device_hierarchies.hpp"
#include "cuda/session/cuda_session.hpp"
#include "cuda/session/parent_image.hpp"
#include "cuda/session/tree_stream.hpp"
#include "cuda/snake/device_snakes.hpp"
#include "cuda/watershed/device_watershed.hpp"

#include <mutex>
#include <string>

namespace pollard {

namespace {

class CudaEngine final : public Engine, public TreeStreamer {
public:
    explicit CudaEngine(int device) : device_(device) {}

    std::string name() const override { return "cuda"; }
    std::string device() const override { return probe().name; }
    std::uint64_t memoryBytes() const override { return probe().memoryBytes; }

    std::string unusableReason() const override {
        return probe().problem.empty() ? cuda::lostContextReason() : probe().problem;
    }

    std::vector<AlgorithmInfo> algorithms() const override {
        std::vector<AlgorithmInfo> all;
        for (const cuda::MaxTreeAlgorithm& algorithm : cuda::maxTrees()) {
            all.push_back({std::string(algorithm.name), "max-tree", "cuda", std::string(algorithm.source), 0,
                           algorithm.takesVolumes});
        }
        for (const cuda::LabellingAlgorithm& algorithm : cuda::labellingAlgorithms()) {
            all.push_back({std::string(algorithm.name), kLabellingJob, "cuda", std::string(algorithm.source), 0,
                           algorithm.takesVolumes});
        }
        for (const cuda::SnakeAlgorithm& algorithm : cuda::snakeAlgorithms()) {
            all.push_back({std::string(algorithm.name), std::string(kSnakeJob), "cuda", std::string(algorithm.source)});
        }
        return all;
    }

    std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        requireUsable();
        return std::make_unique<cuda::CudaSession>(options, device_);
    }

    StreamReport streamTrees(std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
                             const JobControl& control) override {
        requireUsable();
        return cuda::streamParentImages(images, spec, count, control);
    }

    Components labelComponents(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                               const JobControl& control) override {
        requireUsable();
        return labeller_.label(mask, grey, spec, control);
    }

    Buffer<std::uint32_t> squaredDistances(const Mask& mask, std::uint32_t slices, const JobControl& control) override {
        requireUsable();
        return watershed_.squaredDistances(mask, slices, control);
    }

    Buffer<std::uint32_t> watershed(const Image& image, std::span<const std::uint32_t> seeds, const Mask* inside,
                                    const WatershedSpec& spec, const JobControl& control) override {
        requireUsable();
        return watershed_.watershed(image, seeds, inside, spec, control);
    }

    std::unique_ptr<ObjectStream> streamObjects(const ComponentsSpec& spec, int inFlight,
                                                const SessionOptions& options) override {
        requireUsable();
        return std::make_unique<ObjectStream>(cuda::makeDeviceFrameWorkers(spec, inFlight, options.threads));
    }

    SnakeResult runSnake(const SnakeJob& job, const SnakeListener& listener, const JobControl& control) override {
        if (job.parts.empty() && job.starts.size() > 1) {
            return Engine::runSnake(job, listener, control);
        }
        requireUsable();
        return cuda::runSnakeOnDevice(job, listener, control);
    }

    Hierarchy makeHierarchy(const Image& image, const Mask* valid, const HierarchySpec& spec,
                            const JobControl& control) override {
        requireUsable();
        return hierarchies_.make(image, valid, spec, control);
    }

    std::unique_ptr<GlTarget> makeGlTarget() override { return cuda::makeGlTextureTarget(); }

private:
    void requireUsable() const {
        if (const std::string reason = unusableReason(); !reason.empty()) {
            throw Error(ErrorCode::engineUnavailable, "engine 'cuda': " + reason);
        }
        cuda::chooseDevice(device_);
    }

    const cuda::DeviceProbe& probe() const {
        std::call_once(probed_, [this] { probe_ = cuda::probeDevice(device_); });
        return probe_;
    }

    int device_;
    cuda::DeviceLabeller labeller_;
    cuda::DeviceHierarchies hierarchies_;
    cuda::DeviceWatershed watershed_;
    mutable std::once_flag probed_;
    mutable cuda::DeviceProbe probe_;
};

} // namespace

std::unique_ptr<Engine> makeCudaEngine(int device) { return std::make_unique<CudaEngine>(device); }

int countCudaDevices() noexcept { return cuda::countDevices(); }

} // namespace pollard
