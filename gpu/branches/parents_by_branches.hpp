#pragma once

#include "base/job_control.hpp"
#include "device/device_buffer.hpp"
#include "device/device_image.hpp"
#include "device/device_memory.hpp"
#include "device/stage_clock.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Canonical parent image by branches, see buildParentImage(). Waits for its work a few times, to learn counts.
/// @throws Error(limitExceeded) for an image of 2^31 pixels or more, Error(outOfMemory), Error(deviceFailed); Cancelled
[[nodiscard]] DeviceBuffer<std::uint32_t> parentsByBranches(const DeviceImage& image, TreeKind kind, bool eight,
                                                            const std::shared_ptr<DeviceMemory>& memory,
                                                            StageClock& clock, const JobControl& control);

/// Upper bound of the bytes that parentsByBranches() holds at its peak, the result included, the image not.
/// An image in which every other pixel is a maximum takes all of it, a photograph three quarters.
[[nodiscard]] std::uint64_t estimateBranchBytes(PixelType type, std::uint32_t width, std::uint32_t height, bool eight);

} // namespace pollard::cuda
