#pragma once

#include "base/buffer.hpp"
#include "image/extent.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

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

} // namespace pollard
