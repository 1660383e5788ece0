#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pollard {

/// Size of an image: an image has one slice, a volume several. The pixel (x, y) of slice z has the index
/// (z * height + y) * width + x.
struct Extent {
    std::uint32_t width = 0;
    std::uint32_t height = 0; ///< of a slice
    std::uint32_t slices = 1;

    /// Rows of all slices, in the order of the pixels.
    [[nodiscard]] constexpr std::uint64_t rows() const noexcept { return std::uint64_t{height} * slices; }
    [[nodiscard]] constexpr std::size_t slicePixels() const noexcept { return std::size_t{width} * height; }
    [[nodiscard]] constexpr std::size_t pixelCount() const noexcept { return slicePixels() * slices; }
    [[nodiscard]] constexpr bool isVolume() const noexcept { return slices > 1; }

    bool operator==(const Extent&) const = default;
};

/// Position of a pixel.
struct Voxel {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
};
[[nodiscard]] constexpr Voxel voxelAt(std::uint32_t pixel, const Extent& extent) noexcept {
    const std::uint32_t row = pixel / extent.width;
    return {pixel % extent.width, row % extent.height, row / extent.height};
}

/// Sides of a voxel, in any unit of length.
struct VoxelSides {
    double x = 1;
    double y = 1;
    double z = 1;

    [[nodiscard]] constexpr double volume() const noexcept { return x * y * z; }
    bool operator==(const VoxelSides&) const = default;
};

/// "640 x 480 px"; "640 x 480 x 30 px" of a volume.
[[nodiscard]] std::string text(const Extent& extent);

/// Refuses volumes. @param work that is for images only: "region snake"
/// @throws Error(invalidArgument) "region snake: works on images, not on volumes (this one has 30 slices)"
void requireImage(const Extent& extent, const char* work);

} // namespace pollard
