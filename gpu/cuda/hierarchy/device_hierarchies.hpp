#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/staging.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace pollard::cuda {

/// Makes hierarchies on the GPU for CudaEngine. Keeps device memory between calls if it is a small part of the GPU's.
/// Thread-safe: concurrent calls run one after another.
class DeviceHierarchies {
public:
    /// As Engine::makeHierarchy().
    /// @param stages if not null, receives the times on the device
    [[nodiscard]] Hierarchy make(const Image& image, const Mask* valid, const HierarchySpec& spec,
                                 const JobControl& control, std::vector<StageTime>* stages = nullptr);

private:
    struct Device {
        Device() : memory(DeviceMemory::create()), staging(memory) {}

        std::shared_ptr<DeviceMemory> memory;
        Staging staging;
    };

    std::mutex mutex_;
    std::optional<Device> device_;
};

} // namespace pollard::cuda
