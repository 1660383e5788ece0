#pragma once

#include "gl/image_painter.hpp"
#include "gl/image_tiles.hpp"
#include "gl/tile_textures.hpp"
#include "gl/tone.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/display/image_detail.hpp"

#include <QOpenGLExtraFunctions>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::app {

/// Tone of a channel that is added to others: window, gamma and a black checkerboard.
[[nodiscard]] Tone toneOf(const vm::CompositeViewModel::Layer& layer);
/// Colours of a channel, from black on.
[[nodiscard]] std::vector<QColor> coloursOf(const vm::CompositeViewModel::Layer& layer);

/// The drawn channels of a composite on the graphics card: the sum of their colours. Calls marked (GL) require the
/// context of the first call to be current.
class CompositeLayers : protected QOpenGLExtraFunctions {
public:
    using ResultUse = vm::CompositeViewModel::ResultUse;
    /// The document's image and its result; not used with ResultUse::alone.
    struct Result {
        ResultUse use = ResultUse::channel;
        std::vector<TextureTile> before; ///< needed by ResultUse::luminance
        std::vector<TextureTile> after;
        vm::LevelWindow window; ///< of the result
    };

    /// @param store must outlive this
    explicit CompositeLayers(TileTextures& store) : store_(store) {}

    /// @returns whether other images are drawn
    bool take(const std::vector<vm::CompositeViewModel::Layer>& layers);
    [[nodiscard]] bool isEmpty() const noexcept { return layers_.empty(); }
    [[nodiscard]] std::size_t count() const noexcept { return layers_.size(); }
    /// Whether some channel has pixels without data.
    [[nodiscard]] bool isMasked() const noexcept;

    /// Selects and copies the tiles; call between begin() and end() of the store. (GL)
    /// @param after whether filtered channels are drawn, @param before whether channels as read are drawn
    /// @param sourceAfter whether a result is drawn in place of the source channel
    /// @param fine tiles of finer levels of the channels as read
    /// @returns whether all tiles have the required resolution @throws Error(outOfMemory)
    [[nodiscard]] bool select(const ImagePart& part, bool before, bool after, bool sourceAfter,
                              const vm::ImageDetail::Tiles& fine, UploadAllowance& allowance);
    /// Adds the channels to the bound framebuffer. (GL)
    /// @param result empty to show the image as read
    /// @param add whether the first channel is added, too; else it replaces the colours of the framebuffer
    void render(ImagePainter& painter, ImagePainter::View view, const std::optional<Result>& result, bool add);
    void destroy(); ///< (GL)

private:
    struct ChannelLayer {
        explicit ChannelLayer(TileTextures& store) : before(store), after(store) {}
        vm::CompositeViewModel::Layer layer;
        ImageTiles before;
        ImageTiles after;
        ImageTiles::Selection beforeTiles;
        ImageTiles::Selection detailTiles; ///< beforeTiles with finer ones; empty without them
        ImageTiles::Selection afterTiles;
        ColourMapTexture colours;
        bool hasColours = false;
    };

    void addChange(ImagePainter& painter, ImagePainter::View view, const Result& result);
    void cutOut(ImagePainter& painter, ImagePainter::View view, const Result& result);

    TileTextures& store_;
    ColourMapTexture grey_; ///< from black to white
    std::vector<std::unique_ptr<ChannelLayer>> layers_;
    std::vector<std::unique_ptr<ChannelLayer>> retired_; ///< with a texture to delete
    bool ready_ = false;
};

} // namespace pollard::app
