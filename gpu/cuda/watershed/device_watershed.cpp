#include "cuda/watershed/device_watershed.hpp"

#include "analysis/padded_grid.hpp"
#include "base/error.hpp"
#include "cuda/components/device_mask.hpp"
#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/kernels/device_machine.hpp"
#include "cuda/watershed/distance_build.hpp"
#include "cuda/watershed/flood_build.hpp"
#include "cuda/watershed/flood_tile.hpp"
#include "image/distance_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace pollard::cuda {

namespace {

constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30U;
/// Rounding of blocks.
constexpr std::uint64_t kSlack = std::uint64_t{1} << 20U;

/// Runs the passes of DistanceBuild and FloodBuild on the GPU.
class WatershedMachine : public DeviceMachine {
public:
    using DeviceMachine::DeviceMachine;

    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        control().throwIfStopped();
        require(launchPass(pass, count, stream()));
    }
};

/// Upper bound of the memory of DistanceBuild::run(), including the result and the mask.
std::uint64_t bytesOfDistances(const Mask& mask, const Extent& extent) {
    const std::uint64_t pixels = extent.pixelCount();
    const std::uint64_t slots = std::max((extent.height / kDistanceStep + 2ULL) * extent.slices * extent.width,
                                         (extent.slices / kDistanceStep + 2ULL) * extent.slicePixels());
    const std::uint64_t ofRows = pixels * sizeof(std::uint16_t);
    const std::uint64_t ofSquares = pixels * sizeof(std::uint32_t);
    return mask.bytes() * 2 + ofSquares + std::max(ofRows, extent.slices > 1 ? ofSquares : 0) +
           slots * sizeof(std::uint16_t) + kSlack;
}

/// Upper bound of the memory of FloodBuild::run(), including image, mask and result.
std::uint64_t bytesOfFlood(const Image& image, const Mask* inside) {
    const Extent& extent = image.extent();
    const std::uint64_t tiles =
        extent.isVolume() ? FloodGrid<EngineFloodBox>{extent}.tiles() : FloodGrid<EngineFloodShape>{extent}.tiles();
    return image.bytes() + (inside == nullptr ? 0 : inside->bytes()) +
           (2 * extent.pixelCount() + 4 * tiles) * sizeof(std::uint32_t) + kSlack;
}

template <class Level, class Shape, int kNeighbours>
DeviceBuffer<std::uint32_t> flood(WatershedMachine& machine, const std::byte* pixels, const Extent& extent,
                                  DeviceBuffer<std::uint32_t> labels, const DeviceMask& inside,
                                  const WatershedSpec& spec) {
    const LevelView<Level> levels{reinterpret_cast<const Level*>(pixels),
                                  flipOf<Level>(spec.descending ? TreeKind::min : TreeKind::max)};
    return FloodBuild<WatershedMachine, Level, Shape, kNeighbours>(machine, levels, extent)
        .run(std::move(labels), inside, spec.lines);
}

} // namespace

void DeviceWatershed::onDevice(std::uint64_t bytes, const std::string& operation, const JobControl& control,
                               const std::function<void(Device&)>& work) {
    control.throwIfStopped();
    try {
        if (!device_) {
            device_.emplace();
        }
        DeviceMemory& memory = *device_->memory;
        memory.resetPeak();
        if (!memory.has(bytes)) {
            throw Error(ErrorCode::outOfMemory, operation + ": " + mebibytes(bytes) + " of GPU memory needed, " +
                                                    mebibytes(memory.available()) + " free");
        }
        work(*device_);
        if (memory.peakBytes() > kKeptBytes) {
            device_.reset();
        }
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, operation + ": no memory left on the host");
    } catch (const Error& error) {
        if (error.code() == ErrorCode::deviceFailed || error.code() == ErrorCode::outOfMemory) {
            device_.reset();
        }
        throw;
    }
}

Buffer<std::uint32_t> DeviceWatershed::squaredDistances(const Mask& mask, std::uint32_t slices,
                                                        const JobControl& control) {
    const Extent extent = measurableExtent(mask, slices);
    const std::string operation = "distances in " + text(extent);
    const std::lock_guard lock(mutex_);
    Buffer<std::uint32_t> result;
    onDevice(bytesOfDistances(mask, extent), operation, control, [&](Device& device) {
        StageClock clock(device.memory->stream());
        DeviceBuffer<std::byte> words(device.memory, mask.bytes(), "the mask");
        device.staging.queueUpload(words.data(), mask.row(0).data(), mask.bytes(), control, operation);
        clock.finish("upload");
        WatershedMachine machine(device.memory, clock, control, operation);
        const DeviceMask onDevice{reinterpret_cast<const std::uint32_t*>(words.data()), mask.width(), mask.height()};
        const DeviceBuffer<std::uint32_t> found = DistanceBuild<WatershedMachine>(machine, onDevice, extent).run();
        machine.wait();
        result = Buffer<std::uint32_t>(extent.pixelCount());
        device.staging.download(result.data(), found.data(), found.bytes(), control, operation);
        clock.finish("download");
        stages_ = clock.take();
    });
    return result;
}

Buffer<std::uint32_t> DeviceWatershed::watershed(const Image& image, std::span<const std::uint32_t> seeds,
                                                 const Mask* inside, const WatershedSpec& spec,
                                                 const JobControl& control) {
    const Connectivity connectivity = requireFloodable(image, seeds, inside, spec);
    const Extent& extent = image.extent();
    const std::string operation = "watershed of " + text(extent);
    const std::lock_guard lock(mutex_);
    Buffer<std::uint32_t> result;
    onDevice(bytesOfFlood(image, inside), operation, control, [&](Device& device) {
        StageClock clock(device.memory->stream());
        const auto uploaded = [&](const void* host, std::size_t bytes) {
            DeviceBuffer<std::byte> copy(device.memory, bytes, "the image");
            device.staging.queueUpload(copy.data(), host, bytes, control, operation);
            return copy;
        };
        const DeviceBuffer<std::byte> pixels = uploaded(image.data(), image.bytes());
        DeviceBuffer<std::uint32_t> labels(device.memory, seeds.size(), "the labels");
        device.staging.queueUpload(labels.data(), seeds.data(), seeds.size_bytes(), control, operation);
        DeviceBuffer<std::byte> words;
        DeviceMask mask{nullptr, 0, 0};
        if (inside != nullptr) {
            words = uploaded(inside->row(0).data(), inside->bytes());
            mask = {reinterpret_cast<const std::uint32_t*>(words.data()), inside->width(), inside->height()};
        }
        clock.finish("upload");
        WatershedMachine machine(device.memory, clock, control, operation);
        const DeviceBuffer<std::uint32_t> found = dispatch(image.type(), [&]<class Level>(Level) {
            return withNeighbours(connectivity, [&]<int kNeighbours>() {
                using Shape =
                    std::conditional_t<kNeighbours == 4 || kNeighbours == 8, EngineFloodShape, EngineFloodBox>;
                return flood<Level, Shape, kNeighbours>(machine, pixels.data(), extent, std::move(labels), mask, spec);
            });
        });
        machine.wait();
        result = Buffer<std::uint32_t>(extent.pixelCount());
        device.staging.download(result.data(), found.data(), found.bytes(), control, operation);
        clock.finish("download");
        stages_ = clock.take();
    });
    return result;
}

std::vector<StageTime> DeviceWatershed::stages() const {
    const std::lock_guard lock(mutex_);
    return stages_;
}

} // namespace pollard::cuda
