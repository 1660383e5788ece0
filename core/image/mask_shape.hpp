#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

namespace pollard {

/// Whether the mask is of the shape (height, width) of the image.
[[nodiscard]] inline bool fits(const Mask& mask, const Image& image) noexcept {
    return mask.width() == image.width() && mask.height() == image.height();
}

} // namespace pollard
