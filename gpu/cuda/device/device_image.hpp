#pragma once

#include "image/image.hpp"

#include <cstdint>

namespace pollard::cuda {

/// An image in device memory, row-major.
struct DeviceImage {
    const void* pixels; ///< of `type`
    PixelType type;
    std::uint32_t width, height; ///< px

    [[nodiscard]] std::uint64_t pixelCount() const noexcept { return std::uint64_t{width} * height; }
};

} // namespace pollard::cuda
