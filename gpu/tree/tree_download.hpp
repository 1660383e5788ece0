#pragma once

#include "base/job_control.hpp"
#include "tree/component_tree.hpp"
#include "tree/device_tree.hpp"

namespace pollard::cuda {

/// The tree in host memory. Waits for the device.
/// @throws Error(outOfMemory), Error(deviceFailed), Cancelled
[[nodiscard]] ComponentTree downloadTree(const DeviceTree& tree, const DeviceImage& image, const TreeSpec& spec,
                                         const std::shared_ptr<DeviceMemory>& memory, const JobControl& control);

} // namespace pollard::cuda
