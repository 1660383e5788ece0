#pragma once

#include "engine/device_pixels.hpp"
#include "engine/engine.hpp"
#include "gl/tile_textures.hpp"
#include "image/image.hpp"
#include "vm/display/presentation_view_model.hpp"

#include <QOpenGLExtraFunctions>
#include <QRect>
#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pollard::app {

/// Makes the target through which the engine's device writes into the textures @p tiles. Detach it before deleting
/// the textures.
/// @throws Error(engineUnavailable) with the reason
[[nodiscard]] std::unique_ptr<GlTarget> shareTextures(Engine& engine, TexelType type, std::span<const GlTile> tiles);

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
    /// Whether reserve() with these parameters would keep the textures.
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

/// Selects the path of the filtered image to the graphics card. The device that computed it writes whole textures if
/// possible (interop); else the image in main memory is copied, so that the shown image is correct either way.
///
/// Interop has two sets of textures: the device writes the hidden set, then the sets are swapped, so that neither
/// device nor window waits for the other. Refused interop is retried only after destroy() or for another engine. All
/// calls require the context of the first call to be current.
class ResultTexture {
public:
    struct Source {
        const DeviceFrame* frame = nullptr; ///< the image or volume on the device of the engine; null for none
        Engine* engine = nullptr;           ///< of the frame; may be null if frame is
        std::uint32_t slice = 0;            ///< of a volume
    };

    ResultTexture() = default;
    ResultTexture(const ResultTexture&) = delete;
    ResultTexture& operator=(const ResultTexture&) = delete;

    void setMode(vm::DisplayMode mode) noexcept { mode_ = mode; }

    /// Lets the device write the image if possible; see path().
    /// @param largestSide limit for the side of a texture, px
    void show(const Source& source, int largestSide);

    /// Deletes the textures and resets refusals.
    void destroy();

    /// Tiles written by the device; empty unless path() is interop.
    [[nodiscard]] std::vector<TextureTile> tiles() const;
    [[nodiscard]] vm::DisplayPath path() const noexcept { return path_; }
    /// User-readable reason why the path is not interop; empty if there is none.
    [[nodiscard]] QString reason() const { return reason_; }
    /// Total number of created textures: distinguishes reuse from allocation.
    [[nodiscard]] int allocations() const noexcept;

private:
    struct TextureSet {
        TiledTexture texture;
        std::unique_ptr<GlTarget> target; ///< null while the textures are not shared with the device
    };

    [[nodiscard]] bool tryInterop(const Source& source, int largestSide);
    void attach(const Source& source, int largestSide);
    /// Detaches the device and deletes the textures that are not shown.
    void detach() noexcept;

    std::array<TextureSet, 2> sets_;
    std::size_t shown_ = 0;
    vm::DisplayMode mode_ = vm::DisplayMode::automatic;
    vm::DisplayPath path_ = vm::DisplayPath::none;
    QString reason_;
    QString refusal_;
    const Engine* attachedTo_ = nullptr;
    const Engine* refusedBy_ = nullptr;
};

} // namespace pollard::app
