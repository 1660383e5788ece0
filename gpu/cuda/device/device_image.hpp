#pragma once

#include "image/image.hpp"

#include <cstdint>

namespace pollard::cuda {

/// An image in device memory, slice by slice and row by row.
struct DeviceImage {
    const void* pixels; ///< of `type`
    PixelType type;
    std::uint32_t width, height; ///< of a slice, px
    std::uint32_t slices = 1;

    [[nodiscard]] Extent extent() const noexcept { return {width, height, slices}; }
    [[nodiscard]] std::uint64_t pixelCount() const noexcept { return extent().pixelCount(); }
    /// Of all slices.
    [[nodiscard]] std::uint32_t rows() const noexcept { return height * slices; }
};

} // namespace pollard::cuda
