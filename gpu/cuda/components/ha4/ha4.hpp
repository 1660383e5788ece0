#pragma once

#include "cuda/components/labelling.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace pollard::cuda {

/// HA4 with one and with two pixels a thread, see Ha4Build: connectivity 4, any size up to 2^32 - 1 pixels.
/// @throws Error(invalidArgument) for connectivity 8, Error(limitExceeded), Error(outOfMemory), Error(deviceFailed);
///         Cancelled
[[nodiscard]] DeviceComponents labelByHa4With32(const LabellingInput& input,
                                                const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                const JobControl& control);
[[nodiscard]] DeviceComponents labelByHa4With64(const LabellingInput& input,
                                                const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                const JobControl& control);

/// Most bytes of device memory that these hold at once, their results included: 4.3 a pixel, and 192 an object, of
/// which a checkerboard has one in two pixels.
[[nodiscard]] std::uint64_t estimateHa4Bytes(std::uint32_t width, std::uint32_t height, const ComponentsSpec& spec,
                                             bool grey);

/// Refuses what the published algorithms cannot take; else text for messages: "objects of 6000 x 4000 px (ha4-32)".
/// @throws Error(invalidArgument), Error(limitExceeded)
[[nodiscard]] std::string requirePassInput(const LabellingInput& input, const char* algorithm);

} // namespace pollard::cuda
