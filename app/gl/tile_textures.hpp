#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pyramid.hpp"

#include <QOpenGLExtraFunctions>
#include <QRect>

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace pollard::app {

/// Square tiles of images as integer textures. Keeps the most recently used within a limit of bytes; free textures
/// are reused. Calls marked (GL) require the context of the first one to be current.
class TileTextures : protected QOpenGLExtraFunctions {
public:
    struct Key {
        std::uint64_t picture = 0;
        std::uint32_t level = 0; ///< of the pyramid
        std::uint32_t column = 0;
        std::uint32_t row = 0;
        bool operator==(const Key&) const = default;
    };
    struct Tile {
        GLuint levels = 0;
        GLuint coverage = 0; ///< 0 if all pixels have data
        QRect area;          ///< px of the level in the texture: the tile and its margin
    };
    /// Statistics of uploads.
    struct Uploads {
        std::uint64_t bytes = 0;
        double milliseconds = 0;
    };

    TileTextures() = default;
    TileTextures(const TileTextures&) = delete;
    TileTextures& operator=(const TileTextures&) = delete;

    /// Sets the longest side of a texture in px, at least 4; existing tiles are dropped at the next begin().
    void setSide(int side);
    /// Sets the bytes of textures above which tiles not used by the current frame are dropped.
    void setBudget(std::uint64_t bytes) noexcept { budget_ = bytes; }
    /// Pixels of a level per tile and axis: even, so that four tiles lie below one of the next level.
    [[nodiscard]] int content() const noexcept { return side_ - 2 * kMargin; }

    /// Begins a frame: tiles requested from now on are in use. (GL)
    void begin();
    /// The tile if it is loaded; marks it as used.
    [[nodiscard]] const Tile* find(const Key& key);
    /// Uploads a tile that is not loaded. (GL) @throws Error(outOfMemory) if the driver refuses a texture
    const Tile& upload(const Key& key, const Pyramid& pyramid);
    /// The same for a tile that is an image of its own, of at most content() px a side. @param valid null for all
    /// pixels
    const Tile& upload(const Key& key, const Image& image, const Mask* valid);
    /// Bytes that upload() would copy.
    [[nodiscard]] std::uint64_t cost(const Pyramid& pyramid) const noexcept;
    /// Ends the frame: drops tiles above the budget. (GL)
    void end();
    /// Drops an image that is not used any more.
    void forget(std::uint64_t picture);
    /// Deletes all textures. (GL)
    void destroy();

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; } ///< of all textures
    [[nodiscard]] std::size_t tiles() const noexcept { return entries_.size(); }
    [[nodiscard]] int allocations() const noexcept { return allocations_; }    ///< total number of created textures
    [[nodiscard]] const Uploads& uploads() const noexcept { return uploads_; } ///< since construction

    static constexpr int kSide = 512;
    /// Texels around a tile that it shares with its neighbours, for shrinking and interpolation at its border.
    static constexpr int kMargin = 1;
    static constexpr std::uint64_t kBudget = std::uint64_t{192} << 20;

private:
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept;
    };
    struct Entry {
        Tile tile;
        PixelType type = PixelType::u8;
        std::uint64_t used = 0; ///< number of the frame
    };
    /// An entry of the frame with a texture of the levels in @p area.
    [[nodiscard]] Entry filled(const QRect& area, const Image& image);
    [[nodiscard]] GLuint takeTexture(PixelType type);
    void deleteTexture(GLuint texture, PixelType type);
    void release(const Entry& entry);
    [[nodiscard]] std::uint64_t textureBytes(PixelType type) const noexcept;
    void fill(GLuint texture, const QRect& area, const Image& image);
    void fill(GLuint texture, const QRect& area, const Mask& mask);

    std::unordered_map<Key, Entry, Hash> entries_;
    std::array<std::vector<GLuint>, 2> spare_; ///< by type
    std::vector<std::uint8_t> scratch_;
    std::uint64_t budget_ = kBudget;
    std::uint64_t bytes_ = 0;
    std::uint64_t frame_ = 0;
    Uploads uploads_;
    int side_ = kSide;
    int allocations_ = 0;
    bool ready_ = false;
    bool sideChanged_ = false;
};

} // namespace pollard::app
