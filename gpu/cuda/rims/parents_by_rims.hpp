#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// The max-tree by tiles whose rims are joined apart, `rims`: see buildParentImage(), whose result it gives. Queues its
/// work and waits for nothing.
/// @throws Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] DeviceBuffer<std::uint32_t> parentsByRims(const DeviceImage& image, TreeKind kind, bool eight,
                                                        const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                        const JobControl& control);

/// Bytes that parentsByRims() holds at its peak, the result included, the image not.
[[nodiscard]] std::uint64_t estimateRimBytes(PixelType type, std::uint32_t width, std::uint32_t height, bool eight);

} // namespace pollard::cuda
