#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::teach {

/// Longest side of an image that can be followed pixel by pixel, px.
inline constexpr std::uint32_t kLabSide = 16;

/// The image of the grid lab: small enough to watch every pixel.
struct LabImage {
    std::uint32_t width = 0;           ///< 1 to kLabSide
    std::uint32_t height = 0;          ///< 1 to kLabSide
    std::vector<std::uint16_t> levels; ///< (height, width)

    [[nodiscard]] std::size_t pixelCount() const noexcept { return std::size_t{width} * height; }
    [[nodiscard]] std::uint32_t pixelAt(std::uint32_t x, std::uint32_t y) const noexcept { return y * width + x; }

    bool operator==(const LabImage&) const = default;
};

} // namespace pollard::teach
