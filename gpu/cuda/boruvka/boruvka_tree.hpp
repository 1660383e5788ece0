#pragma once

#include "base/job_control.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/device/stage_clock.hpp"
#include "cuda/tree/device_tree.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// Builds the canonical parent image of an image or a volume by `boruvka`, equal to buildParentImage(), with the
/// connectivity from connectivityIn(). Waits for the device a few times to read counts.
/// @throws Error(limitExceeded) for an image of 2^32 - 1 pixels or more, Error(outOfMemory), Error(deviceFailed);
///         Cancelled
[[nodiscard]] DeviceBuffer<std::uint32_t> boruvkaParents(const DeviceImage& image, const TreeSpec& spec,
                                                         const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                                         const JobControl& control);

/// Builds the tree by `boruvka` and numbers its nodes. Waits for its end. Throws as boruvkaParents().
[[nodiscard]] DeviceTree boruvkaTree(const DeviceImage& image, const TreeSpec& spec,
                                     const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                     const JobControl& control);

/// Upper bounds of the peak memory, bytes, with the result and without the image. An image in which every other pixel
/// is a maximum reaches the bound; a photograph needs two thirds.
[[nodiscard]] std::uint64_t estimateBranchParentBytes(PixelType type, const Extent& extent, const TreeSpec& spec);
[[nodiscard]] std::uint64_t estimateBranchTreeBytes(PixelType type, const Extent& extent, const TreeSpec& spec);
/// Lower bound: memory that a build takes before it knows the image's counts.
[[nodiscard]] std::uint64_t leastBranchTreeBytes(const Extent& extent, const TreeSpec& spec);

} // namespace pollard::cuda
