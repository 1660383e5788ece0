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

} // namespace pollard
