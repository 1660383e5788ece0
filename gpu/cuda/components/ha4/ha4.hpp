#pragma once

#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/components/labelling.hpp"
#include "cuda/kernels/device_machine.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace pollard::cuda {

/// HA4 with one and with two pixels per thread, see Ha4Build: connectivity 4, images of up to 2^32 - 1 pixels.
/// @throws Error(invalidArgument) for connectivity 8, Error(limitExceeded), Error(outOfMemory), Error(deviceFailed);
///         Cancelled
[[nodiscard]] DeviceComponents labelByHa4With32(const LabellingInput& input,
                                                const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                const JobControl& control);
[[nodiscard]] DeviceComponents labelByHa4With64(const LabellingInput& input,
                                                const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                const JobControl& control);

/// Peak device memory, bytes, with the results: 4.3 per pixel, and 192 per object, of which a checkerboard has one in
/// two pixels.
[[nodiscard]] std::uint64_t estimateHa4Bytes(const Extent& extent, const ComponentsSpec& spec, bool grey);

/// Rejects input that the published algorithms cannot process; returns the operation for error messages: "objects of
/// 6000 x 4000 px (ha4-32)".
/// @throws Error(invalidArgument), Error(limitExceeded)
[[nodiscard]] std::string requirePassInput(const LabellingInput& input, const char* algorithm);

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
