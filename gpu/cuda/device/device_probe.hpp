#pragma once

#include <cstdint>
#include <string>

namespace pollard::cuda {

/// What is known about the GPU that the engine would use.
struct DeviceProbe {
    std::string name;              ///< "NVIDIA H100 80GB HBM3"; empty if there is none
    std::uint64_t memoryBytes = 0; ///< 0 if there is none
    std::string problem;           ///< why no kernel of this build can run, in one line for a person; empty if one can
};

/// Looks for the first GPU, and runs an empty kernel of this build on it. Never throws for a missing driver or device,
/// and leaves no CUDA error behind.
[[nodiscard]] DeviceProbe probeDevice();

} // namespace pollard::cuda
