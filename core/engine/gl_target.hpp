#pragma once

#include "engine/device_frame.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// A part of the picture that one OpenGL texture shows.
struct GlTile {
    std::uint32_t texture = 0; ///< name of a GL_TEXTURE_2D of format GL_R8UI or GL_R16UI and this width and height
    std::uint32_t x = 0;       ///< of the part's left column in the picture, px
    std::uint32_t y = 0;       ///< of the part's top row in the picture, px
    std::uint32_t width = 0;   ///< px
    std::uint32_t height = 0;  ///< px
};

/// Writes a device's pictures straight into OpenGL textures. Every call is made on one thread with the context that
/// owns the textures current. Neither OpenGL nor device types appear here, so that a window needs no device header.
class GlTarget {
public:
    virtual ~GlTarget() = default;
    GlTarget(const GlTarget&) = delete;
    GlTarget& operator=(const GlTarget&) = delete;

    /// Registers the textures of one picture, once; those of an earlier picture are let go.
    /// @throws Error(engineUnavailable) saying why the context's textures cannot be shared with the device (another
    ///         graphics card draws, software rendering, ...); nothing is registered then
    virtual void attach(PixelType type, std::span<const GlTile> tiles) = 0;

    /// Queues the writing of the picture into the textures; what OpenGL draws afterwards sees it. Does not wait.
    /// @throws Error(invalidArgument) if the frame is another engine's or has another type or size than was attached;
    ///         Error(deviceFailed)
    virtual void write(const DeviceFrame& frame) = 0;

    /// Lets the textures go; must be called before they are deleted.
    virtual void detach() noexcept = 0;

protected:
    GlTarget() = default;
};

} // namespace pollard
