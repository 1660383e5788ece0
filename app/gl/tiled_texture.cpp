#include "gl/tiled_texture.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>

namespace pollard::app {

bool TiledTexture::fits(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide) const noexcept {
    return !tiles_.empty() && type_ == type && width_ == width && height_ == height && side_ == largestSide;
}

void TiledTexture::reserve(PixelType type, std::uint32_t width, std::uint32_t height, int largestSide) {
    if (fits(type, width, height, largestSide)) {
        return;
    }
    if (!ready_) {
        initializeOpenGLFunctions();
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &driverSide_);
        ready_ = true;
    }
    destroy();
    type_ = type;
    width_ = width;
    height_ = height;
    side_ = largestSide;
    allocate();
}

void TiledTexture::allocate() {
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    const int side = std::min(side_, driverSide_);
    const bool wide = type_ == PixelType::u16;
    const int width = static_cast<int>(width_);
    const int height = static_cast<int>(height_);
    for (int y = 0; y < height; y += side) {
        for (int x = 0; x < width; x += side) {
            Tile tile;
            tile.area = QRect(x, y, std::min(side, width - x), std::min(side, height - y));
            glGenTextures(1, &tile.texture);
            tiles_.push_back(tile);
            ++allocations_;
            glBindTexture(GL_TEXTURE_2D, tile.texture);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
            glTexImage2D(GL_TEXTURE_2D, 0, wide ? GL_R16UI : GL_R8UI, tile.area.width(), tile.area.height(), 0,
                         GL_RED_INTEGER, wide ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, nullptr);
            if (glGetError() != GL_NO_ERROR) {
                destroy();
                throw Error(ErrorCode::outOfMemory,
                            "show the picture: " + std::to_string(width_) + " x " + std::to_string(height_) +
                                " px need " + std::to_string(std::uint64_t{width_} * height_ * bytesOf(type_) >> 20) +
                                " MiB of graphics memory, and the driver refuses them");
            }
        }
    }
}

void TiledTexture::destroy() {
    for (const Tile& tile : tiles_) {
        glDeleteTextures(1, &tile.texture);
    }
    tiles_.clear();
}

} // namespace pollard::app
