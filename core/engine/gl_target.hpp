#pragma once

#include "engine/device_pixels.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// Part of the image shown by one OpenGL texture, or by one layer of it.
struct GlTile {
    static constexpr std::uint32_t kNoLayer = 0xffff'ffffU;

    std::uint32_t texture = 0; ///< name of a GL_TEXTURE_2D of this width and height, or of a GL_TEXTURE_2D_ARRAY
    std::uint32_t x = 0;       ///< left column of the part in the image, px
    std::uint32_t y = 0;       ///< top row of the part in the image, px
    std::uint32_t width = 0;   ///< px
    std::uint32_t height = 0;  ///< px
    /// Layer of the GL_TEXTURE_2D_ARRAY, with the part in its upper left corner; kNoLayer for a GL_TEXTURE_2D.
    std::uint32_t layer = kNoLayer;
};

/// Writes values per pixel from device memory to OpenGL textures. All calls are made on one thread with the textures'
/// context current. The interface has neither OpenGL nor device types, so that a window needs no device header.
class GlTarget {
public:
    virtual ~GlTarget() = default;
    GlTarget(const GlTarget&) = delete;
    GlTarget& operator=(const GlTarget&) = delete;

    /// Registers the textures of an image and releases those of the previous one.
    /// @param tiles grouped by texture
    /// @throws Error(engineUnavailable) with the reason why the context's textures cannot be shared with the device
    /// (another graphics card draws, software rendering, ...); nothing is registered then
    virtual void attach(TexelType type, std::span<const GlTile> tiles) = 0;

    /// Enqueues writing the values to the textures, before subsequent OpenGL drawing. Does not wait.
    /// @param slice of a volume; 0 in an image
    /// @throws Error(invalidArgument) if the pixels are another engine's, differ in type or size from attach() or have
    /// no such slice; Error(deviceFailed)
    virtual void write(const DevicePixels& pixels, std::uint32_t slice = 0) = 0;

    /// Releases the textures; call it before deleting them.
    virtual void detach() noexcept = 0;

protected:
    GlTarget() = default;
};

} // namespace pollard
