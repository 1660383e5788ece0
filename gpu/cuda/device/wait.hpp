#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_memory.hpp"

#include <string>

namespace pollard::cuda {

/// Waits for the work queued on the memory's stream. A stop request raises the memory's StopFlag, so that long kernels
/// end early, and the queued work is still waited for, because its memory belongs to the caller; its results are then
/// undefined.
/// @throws Error(deviceFailed) naming @p operation if the work failed; Cancelled
void waitFor(DeviceMemory& memory, const JobControl& control, const std::string& operation);

} // namespace pollard::cuda
