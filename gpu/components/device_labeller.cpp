#include "components/device_labeller.hpp"

#include "base/error.hpp"
#include "base/stage_timer.hpp"
#include "device/mebibytes.hpp"
#include "device/wait.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace pollard::cuda {

namespace {

constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30U;
/// What blocks take beyond their contents.
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20U;

const LabellingAlgorithm& algorithmNamed(const std::string& name) {
    const auto all = labellingAlgorithms();
    const auto found = name.empty() ? all.begin() : std::ranges::find(all, name, &LabellingAlgorithm::name);
    if (found == all.end()) {
        std::string known;
        for (const LabellingAlgorithm& each : all) {
            known += (known.empty() ? "" : ", ") + std::string(each.name);
        }
        throw Error(ErrorCode::invalidArgument,
                    "components: algorithm '" + name + "': unknown (there are " + known + ")");
    }
    return *found;
}

} // namespace

Components DeviceLabeller::label(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                 const JobControl& control) {
    const LabellingAlgorithm& algorithm = algorithmNamed(spec.algorithm);
    requireMeasurable(mask, grey, spec);
    if (std::uint64_t{mask.width()} * mask.height() > Image::kMaxPixels) {
        throw Error(ErrorCode::limitExceeded, "components: a mask of more than 2^32 - 1 pixels");
    }
    control.throwIfStopped();
    const std::lock_guard lock(mutex_);
    StageTimer timer;
    Components result;
    result.connectivity = spec.connectivity;
    result.width = mask.width();
    result.height = mask.height();
    result.algorithm = algorithm.name;
    try {
        if (!device_) {
            device_.emplace();
        }
        device_->memory->resetPeak();
        run(algorithm, mask, spec.features ? grey : nullptr, spec, control, result);
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

void DeviceLabeller::run(const LabellingAlgorithm& algorithm, const Mask& mask, const Image* grey,
                         const ComponentsSpec& spec, const JobControl& control, Components& result) {
    const std::string size = std::to_string(mask.width()) + " x " + std::to_string(mask.height()) + " px";
    const std::string operation = "objects of " + size;
    const std::shared_ptr<DeviceMemory>& memory = device_->memory;
    const std::uint64_t needed = algorithm.estimateBytes(mask.width(), mask.height(), spec, grey != nullptr) +
                                 blockBytes<std::byte>(mask.bytes()) +
                                 (grey == nullptr ? 0 : blockBytes<std::byte>(grey->bytes())) + kSlack;
    if (const std::uint64_t available = memory->available(); needed > available) {
        throw Error(ErrorCode::outOfMemory,
                    operation + ": " + mebibytes(needed) + " of GPU memory needed, " + mebibytes(available) + " free");
    }
    StageClock clock(memory->stream());
    Staging& staging = device_->staging;
    DeviceBuffer<std::byte> words(memory, mask.bytes(), "the mask");
    staging.upload(words.data(), mask.row(0).data(), mask.bytes(), control, "upload a mask of " + size);
    LabellingInput input;
    input.mask = {reinterpret_cast<const std::uint32_t*>(words.data()), mask.width(), mask.height()};
    input.connectivity = spec.connectivity;
    input.labels = spec.labels;
    input.features = spec.features;
    input.pinned = device_->pinned.data();
    DeviceBuffer<std::byte> pixels;
    if (grey != nullptr) {
        pixels = {memory, grey->bytes(), "the image"};
        staging.upload(pixels.data(), grey->data(), grey->bytes(), control, "upload " + size);
        input.grey = DeviceImage{pixels.data(), grey->type(), grey->width(), grey->height()};
    }
    clock.finish("upload");
    const DeviceComponents found = algorithm.run(input, memory, clock, control);
    waitFor(*memory, control, operation);
    result.count = found.count;
    result.foreground = found.foreground;
    if (spec.labels) {
        result.labels = Buffer<std::uint32_t>(std::size_t{mask.width()} * mask.height());
        staging.download(result.labels.data(), found.labels.data(), result.labels.bytes(), control,
                         "fetch the labels of " + size);
    }
    if (spec.features && found.count != 0) {
        result.objects.resize(found.count);
        staging.download(result.objects.data(), found.records.data(), found.count * sizeof(ComponentRecord), control,
                         "fetch the objects of " + size);
    }
    clock.finish("download");
    result.stages = clock.take();
}

} // namespace pollard::cuda
