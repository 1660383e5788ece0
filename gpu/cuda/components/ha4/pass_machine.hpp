#pragma once

#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/kernels/device_machine.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Runs the passes of Ha4Build and TmkBuild on the GPU.
class PassMachine : public DeviceMachine {
public:
    using DeviceMachine::DeviceMachine;

    template <class Pass> void blocks(const Pass& pass, std::uint32_t count) {
        control().throwIfStopped();
        require(launchPass(pass, count, stream()));
    }
    /// Used by PredictedCopy.
    template <class T> void copyOut(T* to, const T* from, std::size_t count) {
        require(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()));
    }
};

} // namespace pollard::cuda
