#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace pollard::cuda {

/// Name, memory and usability of the GPU that the engine would use.
struct DeviceProbe {
    std::string name;              ///< "NVIDIA H100 80GB HBM3"; empty if there is none
    std::uint64_t memoryBytes = 0; ///< 0 if there is none
    std::string problem;           ///< why no kernel of this build can run, one line for users; empty if one can
};

/// Queries a GPU, makes it current for the calling thread, and runs an empty kernel of this build on it. Does not throw
/// if the driver or the device is missing, and clears CUDA errors.
/// @param device number in the order of CUDA
[[nodiscard]] DeviceProbe probeDevice(int device = 0);

/// Number of GPUs that the driver shows to this process; 0 without a driver. Clears CUDA errors.
[[nodiscard]] int countDevices() noexcept;

/// Makes a GPU current for the calling thread. @throws Error(deviceFailed)
void chooseDevice(int device);

/// Runs an empty kernel of this build on the current device and waits for it, because some failures show only at the
/// synchronisation. Returns cudaSuccess, cudaErrorNoKernelImageForDevice if the build has no code for the device,
/// cudaErrorDevicesUnavailable if another process holds it exclusively, or another error.
[[nodiscard]] cudaError_t tryKernel();

} // namespace pollard::cuda
