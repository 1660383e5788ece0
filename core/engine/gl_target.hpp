#pragma once

#include "engine/device_pixels.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// A part of the picture that one OpenGL texture, or one layer of it, shows.
struct GlTile {
    static constexpr std::uint32_t kNoLayer = 0xffff'ffffU;

    std::uint32_t texture = 0; ///< name of a GL_TEXTURE_2D of this width and height, or of a GL_TEXTURE_2D_ARRAY
    std::uint32_t x = 0;       ///< of the part's left column in the picture, px
    std::uint32_t y = 0;       ///< of the part's top row in the picture, px
    std::uint32_t width = 0;   ///< px
    std::uint32_t height = 0;  ///< px
    /// Of the GL_TEXTURE_2D_ARRAY, in whose upper left corner the part lies; kNoLayer for a GL_TEXTURE_2D.
    std::uint32_t layer = kNoLayer;
};

/// Writes values that a device keeps for every pixel straight into OpenGL textures. Every call is made on one thread
/// with the context that owns the textures current. Neither OpenGL nor device types appear here, so that a window needs
/// no device header.
class GlTarget {
public:
    virtual ~GlTarget() = default;
    GlTarget(const GlTarget&) = delete;
    GlTarget& operator=(const GlTarget&) = delete;

    /// Registers the textures of one picture, once; those of an earlier picture are let go.
    /// @param tiles those of one texture one after the other
    /// @throws Error(engineUnavailable) saying why the context's textures cannot be shared with the device (another
    ///         graphics card draws, software rendering, ...); nothing is registered then
    virtual void attach(TexelType type, std::span<const GlTile> tiles) = 0;

    /// Queues the writing of the values into the textures; what OpenGL draws afterwards sees them. Does not wait.
    /// @throws Error(invalidArgument) if the pixels are another engine's or have another type or size than was
    /// attached;
    ///         Error(deviceFailed)
    virtual void write(const DevicePixels& pixels) = 0;

    /// Lets the textures go; must be called before they are deleted.
    virtual void detach() noexcept = 0;

protected:
    GlTarget() = default;
};

} // namespace pollard
