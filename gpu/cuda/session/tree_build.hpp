#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/tree/device_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// The tree of an image, equal to the CPU engine's in every element. Algorithms that make a parent image have its nodes
/// numbered afterwards, by numberNodes(); "boruvka" numbers them itself, from its branches.
/// Files its time as the stages of buildParentImage(), the last of which is "numbering" instead of "flatten" with
/// "boruvka" and is followed by "numbering" with the others. Waits for its end.
/// @throws as buildParentImage() and numberNodes()
[[nodiscard]] DeviceTree buildDeviceTree(const DeviceImage& image, const TreeSpec& spec,
                                         const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                         const JobControl& control);

/// Upper bound of the bytes buildDeviceTree() holds at its peak, the result included, the image not.
/// @throws Error(engineUnavailable) for an unknown algorithm, Error(limitExceeded) as buildParentImage()
[[nodiscard]] std::uint64_t estimateDeviceTreeBytes(PixelType type, std::uint32_t width, std::uint32_t height,
                                                    const TreeSpec& spec);

} // namespace pollard::cuda
