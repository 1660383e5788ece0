#pragma once

#include "gl/texture_tile.hpp"
#include "gl/tiled_texture.hpp"

#include "engine/engine.hpp"
#include "vm/display/presentation_view_model.hpp"

#include <QString>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace pollard::app {

/// Decides how the filtered picture gets to the graphics card. The device that made it writes whole textures where it
/// can (interop); where it cannot, or must not, the picture in main memory is to be copied, so that what is shown is
/// right either way.
///
/// Interop has two sets of textures: the device writes the one that is not shown, then they change places, so that
/// neither waits for the other. What was refused once is tried again only after destroy() or for another engine.
/// Every call needs the context of the first call to be current.
class ResultTexture {
public:
    struct Source {
        const DeviceFrame* frame = nullptr; ///< the picture on the device of the engine; null: there is none
        Engine* engine = nullptr;           ///< that made the picture; may be null if frame is
    };

    ResultTexture() = default;
    ResultTexture(const ResultTexture&) = delete;
    ResultTexture& operator=(const ResultTexture&) = delete;

    void setMode(vm::DisplayMode mode) noexcept { mode_ = mode; }

    /// Lets the device write the picture if that works; path() says.
    /// @param largestSide no texture gets a side above this, in px
    void show(const Source& source, int largestSide);

    /// Gives the textures back, and forgets what was refused.
    void destroy();

    /// What the device wrote; empty unless path() is interop.
    [[nodiscard]] std::vector<TextureTile> tiles() const;
    [[nodiscard]] vm::DisplayPath path() const noexcept { return path_; }
    /// Why the path is not interop, for a person; empty where there is nothing to explain.
    [[nodiscard]] QString reason() const { return reason_; }
    /// How many textures were ever created: tells a reuse from a new allocation.
    [[nodiscard]] int allocations() const noexcept;

private:
    struct TextureSet {
        TiledTexture texture;
        std::unique_ptr<GlTarget> target; ///< null while the device does not know the textures
    };

    [[nodiscard]] bool tryInterop(const Source& source, int largestSide);
    void attach(const Source& source, int largestSide);
    /// Takes the textures from the device and deletes those that are not shown.
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
