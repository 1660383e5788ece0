#include "cuda/components/device_labeller.hpp"

#include "base/error.hpp"
#include "base/job_control.hpp"
#include "components/threshold.hpp"
#include "cuda/components/labelling.hpp"
#include "cuda/components/threshold_pass.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_memory.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <utility>

namespace pollard::cuda {

namespace {

constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30U;
/// Rounding of blocks.
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20U;
/// Larger counts are not predicted: their wait is negligible, but not the memory.
constexpr std::uint32_t kMostExpected = 1U << 18U;

/// Prediction for the next frame from the count in this one.
std::uint32_t expectedAfter(std::uint32_t count) { return count + count / 8 + 64; }

} // namespace

Components DeviceLabeller::label(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                 const JobControl& control) {
    const Extent extent = extentOf(mask, spec);
    requireMeasurable(extent, grey, spec);
    return label(Source{extent, &mask, spec.features ? grey : nullptr, 0, 0}, spec, control);
}

Components DeviceLabeller::label(const StreamFrame& frame, const ComponentsSpec& spec, const JobControl& control) {
    const Image& image = *frame.image;
    if (frame.valid != nullptr) {
        return label(thresholdMask(image, frame.low, frame.high, frame.valid.get(), control), &image, spec, control);
    }
    requireMeasurable(image.extent(), &image, spec);
    return label(Source{image.extent(), nullptr, &image, frame.low, frame.high}, spec, control);
}

Components DeviceLabeller::label(const Source& source, const ComponentsSpec& spec, const JobControl& control) {
    const LabellingAlgorithm& algorithm = labellingAlgorithmNamed(spec.algorithm);
    if (!isPlanar(spec.connectivity) && !algorithm.takesVolumes) {
        throw Error(ErrorCode::invalidArgument,
                    "components: algorithm '" + std::string(algorithm.name) + "': works on images, not on volumes");
    }
    if (source.extent.pixelCount() > Image::kMaxPixels) {
        throw Error(ErrorCode::limitExceeded, "components: a mask of more than 2^32 - 1 pixels");
    }
    control.throwIfStopped();
    Components result;
    result.connectivity = spec.connectivity;
    result.width = source.extent.width;
    result.height = source.extent.height;
    result.slices = source.extent.slices;
    result.algorithm = algorithm.name;
    const std::lock_guard lock(mutex_);
    StageTimer timer;
    try {
        if (!device_) {
            device_.emplace();
        }
        device_->memory->resetPeak();
        run(algorithm, source, spec, control, result);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "components: no memory left on the host");
    } catch (const Error& error) {
        if (error.code() == ErrorCode::deviceFailed || error.code() == ErrorCode::outOfMemory) {
            device_.reset();
        }
        throw;
    }
    if (device_->memory->peakBytes() > kKeptBytes) {
        device_.reset();
    }
    timer.finish("all");
    result.milliseconds = timer.totalMilliseconds();
    return result;
}

void DeviceLabeller::requireMemory(std::uint64_t bytes, std::uint64_t words, const Image* grey,
                                   const std::string& operation) {
    const std::shared_ptr<DeviceMemory>& memory = device_->memory;
    const std::uint64_t needed = bytes + blockBytes<std::uint32_t>(words) +
                                 (grey == nullptr ? 0 : blockBytes<std::byte>(grey->bytes())) + kSlack;
    if (!memory->has(needed)) {
        device_->records.reset();
        if (const std::uint64_t available = memory->available(); needed > available) {
            throw Error(ErrorCode::outOfMemory, operation + ": " + mebibytes(needed) + " of GPU memory needed, " +
                                                    mebibytes(available) + " free");
        }
    }
}

DeviceBuffer<std::byte> DeviceLabeller::queueUpload(const Image& grey, const std::string& size,
                                                    const JobControl& control) {
    DeviceBuffer<std::byte> pixels(device_->memory, grey.bytes(), "the image");
    device_->staging.queueUpload(pixels.data(), grey.data(), grey.bytes(), control, "upload " + size);
    return pixels;
}

void DeviceLabeller::fetch(const DeviceComponents& found, const ComponentsSpec& spec, const std::string& size,
                           const JobControl& control, Components& result) {
    result.count = found.count;
    result.foreground = found.foreground;
    if (spec.labels) {
        result.labels = Buffer<std::uint32_t>(result.extent().pixelCount());
        device_->staging.download(result.labels.data(), found.labels.data(), result.labels.bytes(), control,
                                  "fetch the labels of " + size);
    }
    const auto fetchRecords = [&]<class Record>(auto& records, const DeviceBuffer<Record>& from) {
        records.resize(found.count);
        device_->staging.download(records.data(), from.data(), found.count * sizeof(Record), control,
                                  "fetch the objects of " + size);
    };
    if (!spec.features || found.count == 0) {
        return;
    }
    if (result.isVolume()) {
        VolumeRecords records;
        fetchRecords(records, found.volumeRecords);
        result.setRecords(records);
    } else {
        fetchRecords(result.objects, found.records);
    }
}

void DeviceLabeller::run(const LabellingAlgorithm& algorithm, const Source& source, const ComponentsSpec& spec,
                         const JobControl& control, Components& result) {
    const Extent& extent = source.extent;
    const auto rows = static_cast<std::uint32_t>(extent.rows());
    const std::string size = text(extent);
    const std::string operation = "objects of " + size;
    const std::shared_ptr<DeviceMemory>& memory = device_->memory;
    const std::uint64_t wordCount = ThresholdPass<std::uint8_t>::wordCount(extent.width, rows);
    requireMemory(algorithm.estimateBytes(extent, spec, spec.features && source.grey != nullptr), wordCount,
                  source.grey, operation);
    StageClock clock(memory->stream());
    Staging& staging = device_->staging;
    DeviceBuffer<std::uint32_t> words(memory, wordCount, "the mask");
    LabellingInput input;
    input.mask = {words.data(), extent.width, rows};
    input.slices = extent.slices;
    input.connectivity = spec.connectivity;
    input.labels = spec.labels;
    input.features = spec.features;
    input.kept = &device_->records;
    input.pinned = device_->pinned.data();
    if (device_->extent == extent && std::max(device_->objects, device_->parts) <= kMostExpected) {
        input.expectedObjects = expectedAfter(device_->objects);
        input.expectedParts = expectedAfter(device_->parts);
    }
    if (source.mask != nullptr) {
        staging.queueUpload(words.data(), source.mask->row(0).data(), source.mask->bytes(), control,
                            "upload a mask of " + size);
    }
    DeviceBuffer<std::byte> pixels;
    if (source.grey != nullptr) {
        pixels = queueUpload(*source.grey, size, control);
        if (spec.features) {
            input.grey = DeviceImage{pixels.data(), source.grey->type(), extent.width, extent.height, extent.slices};
        }
    }
    clock.finish("upload");
    if (source.mask == nullptr) {
        const MaskedLevels levels{
            {pixels.data(), source.grey->type(), extent.width, rows}, {source.low, source.high}, words.data()};
        if (algorithm.takesLevels) {
            input.levels = levels;
        } else {
            check(launchThreshold(levels, memory->stream()), operation);
            clock.finish("threshold");
        }
    }
    DeviceComponents found = algorithm.run(input, memory, clock, control);
    waitFor(*memory, control, operation);
    device_->extent = extent;
    device_->objects = found.count;
    device_->parts = found.parts;
    fetch(found, spec, size, control, result);
    if (found.records.size() > device_->records.size()) {
        device_->records = std::move(found.records);
    }
    clock.finish("download");
    result.stages = clock.take();
}

namespace {

constexpr int kMostInFlight = 3;

class DeviceFrameWorker final : public FrameWorker {
public:
    DeviceFrameWorker(const ComponentsSpec& spec, int threads) : spec_(spec), arena_(threads) {}

    [[nodiscard]] Components find(const StreamFrame& frame, const JobControl& control) override {
        return arena_.execute([&] { return labeller_.label(frame, spec_, control); });
    }

private:
    ComponentsSpec spec_;
    tbb::task_arena arena_;
    DeviceLabeller labeller_;
};

} // namespace

std::vector<std::unique_ptr<FrameWorker>> makeDeviceFrameWorkers(const ComponentsSpec& spec, int inFlight,
                                                                 int threads) {
    static_cast<void>(labellingAlgorithmNamed(spec.algorithm));
    const int all = threads > 0 ? threads : tbb::info::default_concurrency();
    const int count = std::clamp(inFlight, 1, kMostInFlight);
    std::vector<std::unique_ptr<FrameWorker>> workers;
    for (int i = 0; i < count; ++i) {
        workers.push_back(std::make_unique<DeviceFrameWorker>(spec, std::max(1, all / count)));
    }
    return workers;
}

} // namespace pollard::cuda
