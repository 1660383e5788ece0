#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pyramid.hpp"

#include <QElapsedTimer>
#include <QOpenGLExtraFunctions>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QSize>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <qopengl.h>

#include <unordered_map>
#include <vector>

namespace pollard::app {

/// A rectangle of an image and the texture that shows it, of any resolution.
struct TextureTile {
    QRectF area;            ///< px of the image
    GLuint levels = 0;      ///< R8UI or R16UI
    GLuint coverage = 0;    ///< R8UI, 0 (no data) to 255 per texel; 0: fully covered
    double texelsPerPx = 1; ///< texels per px of the image
    QPointF texel;          ///< position of the top left corner of `area` in the texture
    QSize size;             ///< texels with content, from the texture's corner; may exceed `area`
    bool isStandIn = false; ///< coarser than required, until the right one is loaded
};

/// Limits the copies to the graphics card before a frame must be shown: in bytes, and in time since construction.
class UploadAllowance {
public:
    UploadAllowance(std::uint64_t bytes, std::int64_t milliseconds) : left_(bytes), milliseconds_(milliseconds) {
        clock_.start();
    }
    [[nodiscard]] static UploadAllowance unlimited() { return {kUnlimited, std::numeric_limits<std::int64_t>::max()}; }
    [[nodiscard]] bool isUnlimited() const noexcept { return left_ == kUnlimited; }
    /// Takes @p bytes if any are left, even beyond the limit. The time limit never applies to the first two calls, one
    /// for each of two compared images, or a small allowance on a slow machine would never suffice.
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
        if (left_ == 0 || (taken_ >= kAlways && clock_.hasExpired(milliseconds_))) {
            return false;
        }
        ++taken_;
        if (!isUnlimited()) {
            left_ -= bytes < left_ ? bytes : left_;
        }
        return true;
    }

private:
    static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
    static constexpr int kAlways = 2;
    std::uint64_t left_;
    std::int64_t milliseconds_;
    QElapsedTimer clock_;
    int taken_ = 0;
};

/// Square tiles of images as integer textures. Keeps the most recently used within a limit of bytes; free textures
/// are reused. Calls marked (GL) require the context of the first call to be current.
class TileTextures : protected QOpenGLExtraFunctions {
public:
    struct Key {
        std::uint64_t image = 0;
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
    /// Uploads a tile that is a separate image, of at most content() px a side. (GL) @throws Error(outOfMemory)
    /// @param valid null for all pixels
    const Tile& upload(const Key& key, const Image& image, const Mask* valid);
    /// Bytes that upload() would copy.
    [[nodiscard]] std::uint64_t cost(const Pyramid& pyramid) const noexcept;
    /// Ends the frame: drops tiles above the budget. (GL)
    void end();
    /// Drops an image that is not used any more.
    void forget(std::uint64_t image);
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
    /// An entry of this frame with a texture that has the levels of @p area.
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
