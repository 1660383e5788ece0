#pragma once

#include <cstdint>
#include <string>

namespace pollard::cuda {

/// Name, memory and usability of the GPU that the engine would use.
struct DeviceProbe {
    std::string name;              ///< "NVIDIA H100 80GB HBM3"; empty if there is none
    std::uint64_t memoryBytes = 0; ///< 0 if there is none
    std::string problem;           ///< why no kernel of this build can run, one line for users; empty if one can
};

/// Queries a GPU, runs an empty kernel of this build on it, and leaves it as that of the calling thread. A missing
/// driver or device is no exception, and no CUDA error is left behind.
/// @param device number in the order of CUDA
[[nodiscard]] DeviceProbe probeDevice(int device = 0);

/// Number of GPUs that the driver shows to this process; 0 without a driver. Leaves no CUDA error behind.
[[nodiscard]] int countDevices() noexcept;

/// Makes a GPU that of the calling thread. @throws Error(deviceFailed)
void chooseDevice(int device);

} // namespace pollard::cuda
