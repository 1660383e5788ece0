#pragma once

#include "engine/engine.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace pollard::cuda {

/// Called with each parent image, shape (height, width), when it is back: from several threads, in any order. The
/// values are there until it returns.
using ParentImageSink = std::function<void(int image, std::span<const std::uint32_t> parents)>;

/// See Engine::streamTrees(). A few images are under way at once, each with a thread, a stream, pinned memory and
/// device memory of its own, so that the copies of one run while another's parent image is built. An image is copied
/// to pinned memory, to the device, built, and its parent image copied back to pinned memory; all memory is taken
/// before the time starts.
/// @throws Error(invalidArgument) without an image or for images that differ in type or size, Error(outOfMemory),
///         Error(deviceFailed), Error(engineUnavailable) for an unknown algorithm; Cancelled
[[nodiscard]] StreamReport streamParentImages(std::span<const std::shared_ptr<const Image>> images,
                                              const TreeSpec& spec, int count, const JobControl& control,
                                              const ParentImageSink& sink = {});

} // namespace pollard::cuda
