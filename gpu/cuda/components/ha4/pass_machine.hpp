#pragma once

#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/kernels/device_machine.hpp"

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
};

} // namespace pollard::cuda
