#pragma once

#include "canvas/composite_layers.hpp"
#include "filter/filter_spec.hpp"
#include "gl/image_painter.hpp"
#include "gl/image_part.hpp"
#include "gl/image_tiles.hpp"
#include "gl/result_texture.hpp"
#include "gl/tile_textures.hpp"
#include "gl/tone.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/image_detail.hpp"
#include "vm/document/jobs/job_types.hpp"

#include <QColor>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QSize>

namespace pollard::app {

/// Draws the line between "before" and "after" with its grip.
class SplitPainter : protected QOpenGLExtraFunctions {
public:
    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// @param split position of the line, device px from the left
    /// @param ratio device px per logical px
    void render(double split, QSize viewport, double ratio, const QColor& accent);
    void destroy();

private:
    std::unique_ptr<QOpenGLShaderProgram> program_;
    QOpenGLVertexArrayObject vertices_;
};

/// An image, or a plane of a volume, and its filter result on the graphics card, drawn with window, colours and split.
/// Calls marked (GL) require the context of the first call to be current.
class ShownImages {
public:
    /// @param display must outlive this
    explicit ShownImages(const vm::DisplayViewModel& display) : display_(display) {}

    /// Takes image and result; without an image, memory is freed immediately. A result of another image is ignored.
    void take(const vm::ShownSlice& shown);
    void takeColours() noexcept { outdated_.colours = true; }
    /// Takes the channels of the composite, if it is shown.
    void takeChannels();
    /// Sets the longest side of a texture in px.
    void setLargestTexture(int side);

    /// The displayed image; its member `image` is null if there is none.
    [[nodiscard]] const vm::ShownSlice& shown() const noexcept { return shown_; }
    /// Whether the image is another plane than the visible slice; such a plane has neither finer levels nor channels.
    [[nodiscard]] bool isSection() const noexcept { return shown_.across != VolumeAxis::z; }
    /// Whether there is a result and the display requests it.
    [[nodiscard]] bool showsResult() const;
    [[nodiscard]] TileTextures& store() noexcept { return store_; }
    [[nodiscard]] const TileTextures& store() const noexcept { return store_; }
    [[nodiscard]] const ResultTexture& resultTexture() const noexcept { return resultTexture_; }

    /// (GL) @throws Error(deviceFailed)
    void setup();
    /// Loads the images set by update(). (GL) @returns whether a result was loaded
    [[nodiscard]] bool update(vm::DisplayMode mode);
    /// Limit of the tiles copied for the next frame on the screen; larger after an update().
    [[nodiscard]] UploadAllowance takeAllowance();
    /// Draws both images into the bound framebuffer. (GL) @param ratio device px per logical px
    /// @param samplesLimit maximum number of fetches per axis for a shrunk image
    /// @returns whether all tiles have the required resolution @throws Error(outOfMemory)
    bool render(const ImagePart& part, double ratio, int samplesLimit, UploadAllowance allowance);
    /// Draws the line between both images, if there is one, over the part in the view. (GL)
    void renderSplitLine(double ratio, const QColor& accent);
    void destroy(); ///< (GL)

private:
    struct Outdated {
        bool image = true;
        bool result = true;
        bool colours = true;
    };

    /// @param twin whether the result is drawn @param fine tiles of finer levels of the image
    bool renderGrey(ImagePainter::View view, bool twin, const vm::ImageDetail::Tiles& fine, UploadAllowance allowance);
    bool renderComposite(ImagePainter::View view, bool twin, const vm::ImageDetail::Tiles& fine,
                         UploadAllowance allowance);
    /// Tiles of the result in the part of the view.
    [[nodiscard]] ImageTiles::Selection selectResult(const ImagePart& part, UploadAllowance& allowance);
    /// Position of the split line in the view, device px from the left; 0 without a split.
    [[nodiscard]] double splitLine() const;
    /// Position of the split line in a part of the image.
    [[nodiscard]] double splitIn(const ImagePart& part) const;

    const vm::DisplayViewModel& display_;
    vm::ShownSlice shown_;
    TileTextures store_;
    ImageTiles imageTiles_{store_};
    ImageTiles resultTiles_{store_}; ///< empty while the device writes the result
    ResultTexture resultTexture_;
    CompositeLayers channels_{store_};
    ColourMapTexture colours_;
    ColourMapTexture black_; ///< under a composite
    ImagePainter painter_;
    SplitPainter splitPainter_;
    int largestTexture_ = 16384;
    Outdated outdated_;
    bool changed_ = true; ///< since takeAllowance()
};

} // namespace pollard::app
