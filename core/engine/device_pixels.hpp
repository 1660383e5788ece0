#pragma once

#include <cstdint>

namespace pollard {

/// What a value per pixel is, and so a texel of a texture that shows it.
enum class TexelType : std::uint8_t {
    u8,  ///< GL_R8UI
    u16, ///< GL_R16UI
    u32, ///< GL_R32UI
};

[[nodiscard]] constexpr unsigned bitsOf(TexelType type) noexcept { return 8U << static_cast<unsigned>(type); }

/// A value for every pixel of a picture that stayed on the device that made it; a GlTarget of the same engine can write
/// it into textures without a way over host memory. Immutable, may be let go on any thread; its memory is used again
/// when the last owner lets go.
class DevicePixels {
public:
    virtual ~DevicePixels() = default;
    DevicePixels(const DevicePixels&) = delete;
    DevicePixels& operator=(const DevicePixels&) = delete;

    [[nodiscard]] virtual TexelType texels() const noexcept = 0;
    [[nodiscard]] virtual std::uint32_t width() const noexcept = 0;  ///< px
    [[nodiscard]] virtual std::uint32_t height() const noexcept = 0; ///< px

protected:
    DevicePixels() = default;
};

} // namespace pollard
