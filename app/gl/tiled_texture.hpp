#pragma once

#include "image/image.hpp"

#include <QOpenGLExtraFunctions>
#include <QRect>

#include <vector>

namespace pollard::app {

/// A whole grey image on the graphics card, written by a device: integer textures (R8UI or R16UI), several side by side
/// if a side of the image exceeds the limit of a texture. All calls require the context of the first call to be
/// current.
class TiledTexture : protected QOpenGLExtraFunctions {
public:
    struct Tile {
        GLuint texture = 0;
        QRect area; ///< px of the image
    };

    TiledTexture() = default;
    TiledTexture(const TiledTexture&) = delete;
    TiledTexture& operator=(const TiledTexture&) = delete;

    /// Creates textures for an image, without content; no effect if they exist.
    /// @param largestSide limit for the side of a texture, px; the driver's limit applies too
    /// @throws Error(outOfMemory) if the driver refuses the textures; the object is then empty
    void reserve(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide);
    /// Whether the textures match those of reserve() with these parameters.
    [[nodiscard]] bool fits(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide) const noexcept;

    /// Deletes the textures.
    void destroy();

    [[nodiscard]] bool empty() const noexcept { return tiles_.empty(); }
    [[nodiscard]] const std::vector<Tile>& tiles() const noexcept { return tiles_; }
    /// Total number of created textures: distinguishes reuse from allocation.
    [[nodiscard]] int allocations() const noexcept { return allocations_; }

private:
    void allocate();

    std::vector<Tile> tiles_;
    PixelType type_ = PixelType::u8;
    std::uint32_t width_ = 0;
    std::uint32_t height_ = 0;
    int side_ = 0;       ///< requested limit for the side of a texture
    int driverSide_ = 0; ///< the driver's limit
    int allocations_ = 0;
    bool ready_ = false;
};

} // namespace pollard::app
