#pragma once

#include "base/job_control.hpp"
#include "components/components.hpp"
#include "components/labelling.hpp"
#include "device/pinned_buffer.hpp"
#include "device/staging.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace pollard::cuda {

/// Finds objects on the GPU for CudaEngine::labelComponents(): copies masks there and what was found back, exactly as
/// many records as there are objects. Keeps up to 1 GiB of device memory and the pinned chunks between calls, so that
/// masks one after another do not wait for memory. Thread-safe: one call at a time, others wait.
class DeviceLabeller {
public:
    /// @throws Error(invalidArgument) for an unknown algorithm; as Engine::labelComponents()
    [[nodiscard]] Components label(const Mask& mask, const Image* grey, const ComponentsSpec& spec,
                                   const JobControl& control);

private:
    /// What is kept.
    struct Device {
        Device() : memory(DeviceMemory::create()), staging(memory), pinned(LabellingInput::kPinnedBytes, "counts") {}

        std::shared_ptr<DeviceMemory> memory;
        Staging staging;
        PinnedBuffer<std::byte> pinned;
    };

    void run(const LabellingAlgorithm& algorithm, const Mask& mask, const Image* grey, const ComponentsSpec& spec,
             const JobControl& control, Components& result);

    std::mutex mutex_;
    std::optional<Device> device_;
};

} // namespace pollard::cuda
