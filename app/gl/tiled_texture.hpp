#pragma once

#include "image/image.hpp"

#include <QOpenGLExtraFunctions>
#include <QRect>

#include <vector>

namespace pollard::app {

/// A whole grey image on the graphics card, for a device to write: integer textures (R8UI or R16UI), several of them
/// side by side when a side of the image exceeds what one texture can hold. Every call needs the context of the first
/// call to be current.
class TiledTexture : protected QOpenGLExtraFunctions {
public:
    struct Tile {
        GLuint texture = 0;
        QRect area; ///< px of the image
    };

    TiledTexture() = default;
    TiledTexture(const TiledTexture&) = delete;
    TiledTexture& operator=(const TiledTexture&) = delete;

    /// Makes textures for such a picture, without content; does nothing if they are there.
    /// @param largestSide no texture gets a side above this or above what the driver allows, in px
    /// @throws Error(outOfMemory) when the driver refuses the textures; the object is empty then
    void reserve(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide);
    /// Whether the textures are those that reserve() would make.
    [[nodiscard]] bool fits(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide) const noexcept;

    /// Gives the textures back.
    void destroy();

    [[nodiscard]] bool empty() const noexcept { return tiles_.empty(); }
    [[nodiscard]] const std::vector<Tile>& tiles() const noexcept { return tiles_; }
    /// How many textures were ever created: tells a reuse from a new allocation.
    [[nodiscard]] int allocations() const noexcept { return allocations_; }

private:
    void allocate();

    std::vector<Tile> tiles_;
    PixelType type_ = PixelType::u8;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    int side_ = 0;       ///< largest side of a texture that was asked for
    int driverSide_ = 0; ///< the driver's own limit
    int allocations_ = 0;
    bool ready_ = false;
};

} // namespace pollard::app
