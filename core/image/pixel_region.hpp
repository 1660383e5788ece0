#pragma once

#include <cstdint>

namespace pollard {

/// Rectangle of pixels [x, x + width) x [y, y + height) of an image or page.
struct PixelRegion {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;

    bool operator==(const PixelRegion&) const = default;
};

/// Slices [first, first + count) of a volume.
struct SliceRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    bool operator==(const SliceRange&) const = default;
};

} // namespace pollard
