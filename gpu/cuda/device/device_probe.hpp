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

/// Queries the first GPU and runs an empty kernel of this build on it. A missing driver or device is no exception, and
/// no CUDA error is left behind.
[[nodiscard]] DeviceProbe probeDevice();

} // namespace pollard::cuda
