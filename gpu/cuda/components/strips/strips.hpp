#pragma once

#include "cuda/components/labelling.hpp"
#include "cuda/components/strips/strip_tuning.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Parameters for the current device. Two blocks should fit on a multiprocessor, so that one computes while the other
/// waits. @throws Error(deviceFailed)
[[nodiscard]] StripTuning tuningOfDevice();

/// Labels and measures by strips of rows, see StripBuild: images of up to 2^32 - 1 pixels, both connectivities. Needs 5
/// to 9 bytes per pixel, including 4 for the label image, 96 per object, and 64 to 112 for every further part of one in
/// a strip.
/// @throws Error(limitExceeded), Error(outOfMemory), Error(deviceFailed); Cancelled
[[nodiscard]] DeviceComponents labelByStrips(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                             StageClock& clock, const JobControl& control);

/// Peak device memory without records, bytes.
[[nodiscard]] std::uint64_t estimateStripBytes(std::uint32_t width, std::uint32_t height, const ComponentsSpec& spec,
                                               bool grey);

} // namespace pollard::cuda
