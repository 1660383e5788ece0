#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Builds the max-tree by `rims` (docs/algorithms.md) and returns its canonical parent image, equal to
/// buildParentImage(). Queues its work and does not wait.
/// @throws Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] DeviceBuffer<std::uint32_t> parentsByRims(const DeviceImage& image, const TreeSpec& spec,
                                                        const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                        const JobControl& control);

/// Peak memory of parentsByRims(), bytes, with the result and without the image.
[[nodiscard]] std::uint64_t estimateRimBytes(PixelType type, const Extent& extent, const TreeSpec& spec);

} // namespace pollard::cuda
