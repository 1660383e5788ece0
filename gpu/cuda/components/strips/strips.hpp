#pragma once

#include "cuda/components/labelling.hpp"
#include "cuda/components/strips/strip_layout.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Parameters for the current device. Two blocks should fit on a multiprocessor, so that one computes while the other
/// waits. @throws Error(deviceFailed)
[[nodiscard]] StripTuning tuningOfDevice();

/// Labels and measures by strips of rows, see StripBuild and VolumeBuild: images of up to 2^32 - 1 pixels, all
/// connectivities. Needs 5 to 9 bytes per pixel, including 4 for the label image; in images 96 per object, and 64 to
/// 112 for every further part of one in a strip, in volumes 160 per object.
/// @throws Error(limitExceeded), Error(outOfMemory), Error(deviceFailed), Error(engineUnavailable) for volumes with
/// rows too long for strips of several, or more than 2^32 nodes; Cancelled
[[nodiscard]] DeviceComponents labelByStrips(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                             StageClock& clock, const JobControl& control);

/// Peak device memory without records, bytes. @throws Error(engineUnavailable) as labelByStrips()
[[nodiscard]] std::uint64_t estimateStripBytes(const Extent& extent, const ComponentsSpec& spec, bool grey);

} // namespace pollard::cuda
