#pragma once

#include "analysis/watershed.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/staging.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::cuda {

/// Distance transforms and watersheds on the GPU for CudaEngine. Keeps up to 1 GiB of device memory and the pinned
/// chunks between calls. Thread-safe: concurrent calls run one after another.
class DeviceWatershed {
public:
    /// @throws as Engine::squaredDistances()
    [[nodiscard]] Buffer<std::uint32_t> squaredDistances(const Mask& mask, std::uint32_t slices,
                                                         const JobControl& control);

    /// @throws as Engine::watershed()
    [[nodiscard]] Buffer<std::uint32_t> watershed(const Image& image, std::span<const std::uint32_t> seeds,
                                                  const Mask* inside, const WatershedSpec& spec,
                                                  const JobControl& control);

    /// Stages of the last call.
    [[nodiscard]] std::vector<StageTime> stages() const;

private:
    /// State kept between calls.
    struct Device {
        Device() : memory(DeviceMemory::create()), staging(memory) {}

        std::shared_ptr<DeviceMemory> memory;
        Staging staging;
    };

    /// Calls @p work with a device that has @p bytes of memory; gives the device back if it fails.
    /// @param operation for messages
    void onDevice(std::uint64_t bytes, const std::string& operation, const JobControl& control,
                  const std::function<void(Device&)>& work);

    mutable std::mutex mutex_;
    std::optional<Device> device_;
    std::vector<StageTime> stages_;
};

} // namespace pollard::cuda
