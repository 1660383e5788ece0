#pragma once

#include "cuda/components/labelling.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Nodes that a block merges in shared memory, 116 B each: several blocks fit a multiprocessor of every GPU.
inline constexpr std::uint32_t kTmkNodes = 256;

/// Objects labelled by ha4-64 and measured by the tree merge kernel, see TmkBuild: connectivity 4, any size up to
/// 2^32 - 1 pixels.
/// @throws Error(invalidArgument) for connectivity 8, Error(limitExceeded), Error(outOfMemory), Error(deviceFailed);
///         Cancelled
[[nodiscard]] DeviceComponents labelByTmk(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                          StageClock& clock, const JobControl& control);

/// Most bytes of device memory that it holds at once, its results included: 62 a pixel, and 196 an object, of which a
/// checkerboard has one in two pixels.
[[nodiscard]] std::uint64_t estimateTmkBytes(std::uint32_t width, std::uint32_t height, const ComponentsSpec& spec,
                                             bool grey);

} // namespace pollard::cuda
