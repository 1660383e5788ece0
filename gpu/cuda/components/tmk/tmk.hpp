#pragma once

#include "cuda/components/labelling.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Nodes that a block merges in shared memory, 116 bytes each: several blocks fit on a multiprocessor of every GPU.
inline constexpr std::uint32_t kTmkNodes = 256;

/// Labels objects by ha4-64 and measures them by the tree merge kernel, see TmkBuild: connectivity 4, images of up to
/// 2^32 - 1 pixels.
/// @throws Error(invalidArgument) for connectivity 8, Error(limitExceeded), Error(outOfMemory), Error(deviceFailed);
///         Cancelled
[[nodiscard]] DeviceComponents labelByTmk(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                          StageClock& clock, const JobControl& control);

/// Peak device memory, bytes, with the results: 62 per pixel, and 196 per object, of which a checkerboard has one in
/// two pixels.
[[nodiscard]] std::uint64_t estimateTmkBytes(const Extent& extent, const ComponentsSpec& spec, bool grey);

} // namespace pollard::cuda
