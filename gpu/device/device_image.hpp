#pragma once

#include "image/image.hpp"

#include <cstdint>

namespace pollard::cuda {

/// An image in device memory, row after row.
struct DeviceImage {
    const void* pixels; ///< of `type`
    PixelType type;
    std::uint32_t width, height; ///< px
};

} // namespace pollard::cuda
