#pragma once

#include "gl/texture_tile.hpp"
#include "gl/tiled_texture.hpp"

#include "engine/engine.hpp"
#include "vm/display/presentation_view_model.hpp"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::app {

/// Selects the path of the filtered image to the graphics card. The device that computed it writes whole textures if
/// possible (interop); else the image in main memory is copied, so that the shown image is correct either way.
///
/// Interop has two sets of textures: the device writes the one that is not shown, then they are swapped, so that
/// neither waits for the other. Refused interop is retried only after destroy() or for another engine. All calls
/// require the context of the first call to be current.
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
