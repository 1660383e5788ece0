#pragma once

#include "base/buffer.hpp"

#include <cstdint>

namespace pollard {

/// Labels of an image of shape (slices, height, width), row-major: 0 for background, else 1 .. count in raster order of
/// first appearance.
struct LabelImage {
    Buffer<std::uint32_t> labels;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t count = 0;
    std::uint32_t slices = 1;
};

} // namespace pollard
