#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/objects/object_stream.hpp"
#include "cuda/components/labelling.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/staging.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pollard::cuda {

/// Finds objects on the GPU for CudaEngine: uploads masks or images, and downloads the results with exactly as many
/// records as there are objects. Keeps up to 1 GiB of device memory and the pinned chunks between calls, so that
/// successive masks need no allocation. Thread-safe: concurrent calls run one after another.
class DeviceLabeller {
public:
    /// @throws Error(invalidArgument) for an unknown algorithm; Error(engineUnavailable) as labelByStrips(); as
    /// Engine::labelComponents()
    [[nodiscard]] Components label(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                   const JobControl& control);
    /// Labels the pixels of a frame between two levels. The GPU makes the mask, unless the frame has a mask of valid
    /// pixels.
    [[nodiscard]] Components label(const StreamFrame& frame, const ComponentsSpec& spec, const JobControl& control);

private:
    /// State kept between calls.
    struct Device {
        Device() : memory(DeviceMemory::create()), staging(memory), pinned(LabellingInput::kPinnedBytes, "counts") {}

        std::shared_ptr<DeviceMemory> memory;
        Staging staging;
        PinnedBuffer<std::byte> pinned;
        Extent extent;                        ///< of the last mask
        std::uint32_t objects = 0, parts = 0; ///< found in it
        DeviceBuffer<ComponentRecord> records;
    };

    /// Source of the mask: a host mask, or levels of the grey image.
    struct Source {
        Extent extent;
        const Mask* mask; ///< null: made from `grey`
        const Image* grey;
        std::uint16_t low, high;
    };

    [[nodiscard]] Components label(const Source& source, const ComponentsSpec& spec, const JobControl& control);
    void run(const LabellingAlgorithm& algorithm, const Source& source, const ComponentsSpec& spec,
             const JobControl& control, Components& result);
    /// Downloads what an algorithm found.
    void fetch(const DeviceComponents& found, const ComponentsSpec& spec, const std::string& size,
               const JobControl& control, Components& result);
    /// @param bytes of device memory beside masks and images. @throws Error(outOfMemory)
    void requireMemory(std::uint64_t bytes, std::uint64_t words, const Image* grey, const std::string& operation);
    [[nodiscard]] DeviceBuffer<std::byte> queueUpload(const Image& grey, const std::string& size,
                                                      const JobControl& control);

    std::mutex mutex_;
    std::optional<Device> device_;
};

/// Workers for CudaEngine::streamObjects(). Each has its own stream, pinned chunks and device memory, kept between
/// frames: while the GPU processes one frame, the copies of others run. A frame is copied to pinned memory and to the
/// device, which thresholds, labels and measures it; then the label image, if requested, and exactly as many records as
/// there are objects are copied back. The number of objects is read before the work ends.
/// @param inFlight frames at a time, at most three, which keep both copy engines and the kernels busy
/// @param threads host threads that copy to and from pinned memory, over all workers; 0 = all cores
/// @throws Error(invalidArgument) for an unknown algorithm
[[nodiscard]] std::vector<std::unique_ptr<FrameWorker>> makeDeviceFrameWorkers(const ComponentsSpec& spec, int inFlight,
                                                                               int threads);

} // namespace pollard::cuda
