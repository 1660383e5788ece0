#pragma once

#include <cuda_runtime_api.h>

namespace pollard::cuda {

/// Runs an empty kernel of this build on the current device and waits for it, because some failures show only at the
/// synchronisation. Returns cudaSuccess, cudaErrorNoKernelImageForDevice if the build has no code for the device,
/// cudaErrorDevicesUnavailable if another process holds it exclusively, or another error.
[[nodiscard]] cudaError_t tryKernel();

} // namespace pollard::cuda
