#pragma once

#include "image/image.hpp"

#include <cstdint>

namespace pollard {

/// Type of the values per pixel, and of the texels of a texture that shows them.
enum class TexelType : std::uint8_t {
    u8,  ///< GL_R8UI
    u16, ///< GL_R16UI
    u32, ///< GL_R32UI
};

[[nodiscard]] constexpr unsigned bitsOf(TexelType type) noexcept { return 8U << static_cast<unsigned>(type); }

/// A value per pixel of an image or volume in the memory of the device that computed it; a GlTarget of the same engine
/// writes it to textures without a copy through host memory. Immutable; can be released on any thread, after which its
/// memory is reused.
class DevicePixels {
public:
    virtual ~DevicePixels() = default;
    DevicePixels(const DevicePixels&) = delete;
    DevicePixels& operator=(const DevicePixels&) = delete;

    [[nodiscard]] virtual TexelType texels() const noexcept = 0;
    [[nodiscard]] virtual std::uint32_t width() const noexcept = 0;  ///< px
    [[nodiscard]] virtual std::uint32_t height() const noexcept = 0; ///< of a slice, px
    /// Of a volume, in the order of the values; 1 in an image.
    [[nodiscard]] virtual std::uint32_t slices() const noexcept { return 1; }

protected:
    DevicePixels() = default;
};

[[nodiscard]] constexpr TexelType texelsOf(PixelType type) noexcept {
    return type == PixelType::u8 ? TexelType::u8 : TexelType::u16;
}

/// A filtered image or volume in the memory of its device.
class DeviceFrame : public DevicePixels {
public:
    [[nodiscard]] virtual PixelType type() const noexcept = 0;
    [[nodiscard]] TexelType texels() const noexcept final { return texelsOf(type()); }
};

} // namespace pollard
