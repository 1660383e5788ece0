#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>

namespace pollard {

/// The pixels of an image that have another level than this one.
[[nodiscard]] Mask maskOfOthers(const Image& image, std::uint16_t level);

} // namespace pollard
