#pragma once

#include <cuda_runtime_api.h>

namespace pollard::cuda {

/// Runs an empty kernel of this build on the current device: cudaSuccess, cudaErrorNoKernelImageForDevice if the build
/// has no code for the device, cudaErrorDevicesUnavailable if another process has it for itself, ... Waits for it,
/// because what keeps a device from working shows only there.
[[nodiscard]] cudaError_t tryKernel();

} // namespace pollard::cuda
