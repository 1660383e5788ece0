#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

namespace pollard {

/// Whether mask and image have the same shape.
[[nodiscard]] inline bool fits(const Mask& mask, const Image& image) noexcept {
    return mask.width() == image.width() && mask.height() == image.height();
}

} // namespace pollard
