#pragma once

#include "image/image.hpp"

namespace pollard::cuda {

/// The image with its order of grey levels reversed (see invertedLevel), computed on the GPU: the first step of a
/// min-tree. Same type and size as @p image; the whole image travels to the device and back.
/// @throws Error(outOfMemory) if the device has not got the memory, Error(deviceFailed) without a usable GPU
[[nodiscard]] Image invertImage(const Image& image);

} // namespace pollard::cuda
