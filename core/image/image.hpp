#pragma once

#include "base/buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
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

enum class PixelType : std::uint8_t { u8, u16 };

[[nodiscard]] constexpr int bitsOf(PixelType type) noexcept { return type == PixelType::u8 ? 8 : 16; }
[[nodiscard]] constexpr std::size_t bytesOf(PixelType type) noexcept { return type == PixelType::u8 ? 1 : 2; }
/// Largest grey level of the type: 255 or 65535.
[[nodiscard]] constexpr std::uint16_t maxLevelOf(PixelType type) noexcept {
    return type == PixelType::u8 ? 0xff : 0xffff;
}

template <class T> inline constexpr PixelType kPixelTypeOf = sizeof(T) == 1 ? PixelType::u8 : PixelType::u16;

/// Grey image of shape (slices, height, width), row-major without padding, 8 or 16 bits per pixel; an image has one
/// slice, a volume several. It has 1 to 2^32 - 1 pixels, so that a pixel index fits 32 bits and 2^32 - 1 can mean
/// "none". Move-only; share it as std::shared_ptr<const Image>.
class Image {
public:
    static constexpr std::uint64_t kMaxPixels = 0xffff'ffffULL;

    /// Leaves the pixels uninitialised.
    /// @throws Error(invalidArgument) if a side is 0, Error(limitExceeded) above kMaxPixels, Error(outOfMemory)
    Image(PixelType type, std::uint32_t width, std::uint32_t height) : Image(type, Extent{width, height}) {}
    Image(PixelType type, const Extent& extent);
    /// An image of these pixels. @throws Error as above, Error(invalidArgument) for another number of bytes
    Image(PixelType type, const Extent& extent, Buffer<std::byte> pixels);

    [[nodiscard]] PixelType type() const noexcept { return type_; }
    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    [[nodiscard]] std::uint32_t width() const noexcept { return extent_.width; }
    [[nodiscard]] std::uint32_t height() const noexcept { return extent_.height; } ///< of a slice
    [[nodiscard]] std::size_t pixelCount() const noexcept { return extent_.pixelCount(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return data_.bytes(); }
    /// Sides of a voxel of a volume in units of its width; 1 in images.
    [[nodiscard]] const VoxelSides& sides() const noexcept { return sides_; }
    void setSides(const VoxelSides& sides) noexcept { sides_ = sides; }

    [[nodiscard]] std::byte* data() noexcept { return data_.data(); }
    [[nodiscard]] const std::byte* data() const noexcept { return data_.data(); }

    /// All pixels, slice by slice and row by row. T must match type(): std::uint8_t or std::uint16_t.
    template <class T> [[nodiscard]] std::span<T> pixels() noexcept {
        return {reinterpret_cast<T*>(data_.data()), pixelCount()};
    }
    template <class T> [[nodiscard]] std::span<const T> pixels() const noexcept {
        return {reinterpret_cast<const T*>(data_.data()), pixelCount()};
    }

    /// Grey level of the pixel with this index, see Extent, for either type.
    [[nodiscard]] std::uint16_t level(std::size_t index) const noexcept {
        return type_ == PixelType::u8 ? pixels<std::uint8_t>()[index] : pixels<std::uint16_t>()[index];
    }

private:
    PixelType type_;
    Extent extent_;
    VoxelSides sides_;
    Buffer<std::byte> data_;
};

/// A copy of the slice @p z of a volume. @throws Error(outOfMemory)
[[nodiscard]] Image sliceOf(const Image& volume, std::uint32_t z);

/// Calls @p function with a value-initialised pixel of the type, to select a template's instance:
/// `dispatch(image.type(), [&]<class T>(T) { work(image.pixels<T>()); });`
template <class Function> decltype(auto) dispatch(PixelType type, Function&& function) {
    return type == PixelType::u8 ? function(std::uint8_t{}) : function(std::uint16_t{});
}

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
