#pragma once

#include "engine/device_pixels.hpp"
#include "image/image.hpp"

namespace pollard {

[[nodiscard]] constexpr TexelType texelsOf(PixelType type) noexcept {
    return type == PixelType::u8 ? TexelType::u8 : TexelType::u16;
}

/// A filtered picture in the memory of its device.
class DeviceFrame : public DevicePixels {
public:
    [[nodiscard]] virtual PixelType type() const noexcept = 0;
    [[nodiscard]] TexelType texels() const noexcept final { return texelsOf(type()); }
};

} // namespace pollard
