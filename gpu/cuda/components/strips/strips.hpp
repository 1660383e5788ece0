#pragma once

#include "cuda/components/labelling.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Labels and measures by strips of rows, see StripBuild: any size up to 2^32 - 1 pixels, both connectivities. Holds
/// 5 to 9 bytes a pixel, the label image's 4 with them, then 96 an object and 64 to 112 for every other part of one in
/// a strip.
/// @throws Error(limitExceeded), Error(outOfMemory), Error(deviceFailed); Cancelled
[[nodiscard]] DeviceComponents labelByStrips(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                             StageClock& clock, const JobControl& control);

/// Most bytes of device memory that it holds beside records.
[[nodiscard]] std::uint64_t estimateStripBytes(std::uint32_t width, std::uint32_t height, const ComponentsSpec& spec,
                                               bool grey);

} // namespace pollard::cuda
