#pragma once

#include "engine/engine.hpp"

#include <memory>
#include <span>

namespace pollard::cuda {

/// See Engine::streamTrees(). A few images are under way at once, each with a thread, a stream, pinned memory and
/// device memory of its own, so that the copies of one run while another's parent image is built. An image is copied
/// to pinned memory, to the device, built, and its parent image copied back to pinned memory; all memory is taken
/// before the time starts.
/// @throws Error(invalidArgument) without an image or for images that differ in type or size, Error(outOfMemory),
///         Error(deviceFailed), Error(engineUnavailable) for an unknown algorithm; Cancelled
[[nodiscard]] StreamReport streamParentImages(std::span<const std::shared_ptr<const Image>> images,
                                              const TreeSpec& spec, int count, const JobControl& control);

} // namespace pollard::cuda
