#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/tree/device_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Builds the tree of an image, equal to the CPU engine's in every element. Algorithms that yield a parent image are
/// followed by numberNodes(); "boruvka" numbers the nodes from its branches. Records its time as the stages of
/// buildParentImage(), followed by "numbering"; with "boruvka", "numbering" replaces "flatten". Waits for its end.
/// @throws as buildParentImage() and numberNodes()
[[nodiscard]] DeviceTree buildDeviceTree(const DeviceImage& image, const TreeSpec& spec,
                                         const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                         const JobControl& control);

/// Upper bound of the peak memory of buildDeviceTree(), bytes, with the result and without the image.
/// @throws Error(engineUnavailable) for an unknown algorithm, Error(limitExceeded) as buildParentImage()
[[nodiscard]] std::uint64_t estimateDeviceTreeBytes(PixelType type, std::uint32_t width, std::uint32_t height,
                                                    const TreeSpec& spec);

} // namespace pollard::cuda
