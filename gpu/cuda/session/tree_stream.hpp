#pragma once

#include "engine/engine.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace pollard::cuda {

/// Called with each finished parent image, shape (height, width), from several threads and in any order. The values are
/// valid during the call.
using ParentImageSink = std::function<void(int image, std::span<const std::uint32_t> parents)>;

/// Implements TreeStreamer::streamTrees(). Processes a few images at once, each with its own thread, stream, pinned and
/// device memory, so that the copies of one image overlap the build of another. Copies an image to pinned memory and to
/// the device, builds the tree, and copies its parent image back to pinned memory. Allocates all memory before the
/// measured time starts.
/// @throws Error(invalidArgument) without images or if they differ in type or size, Error(outOfMemory),
///         Error(deviceFailed), Error(engineUnavailable) for an unknown algorithm; Cancelled
[[nodiscard]] StreamReport streamParentImages(std::span<const std::shared_ptr<const Image>> images,
                                              const TreeSpec& spec, int count, const JobControl& control,
                                              const ParentImageSink& sink = {});

} // namespace pollard::cuda
