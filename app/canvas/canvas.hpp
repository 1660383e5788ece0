#pragma once

#include "canvas/canvas_input.hpp"
#include "canvas/component_highlight.hpp"
#include "canvas/frame_schedule.hpp"
#include "canvas/gl_surface.hpp"
#include "canvas/shown_images.hpp"
#include "gl/image_part.hpp"

#include "filter/filter_spec.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/presentation_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

namespace pollard::app {

/// Shows an image, or a plane of a volume, and its filter result with OpenGL, with window, colours and split of the
/// display. Highlights nodes of a tree in it.
class ImageSurface : public GlSurface {
    Q_OBJECT

public:
    ~ImageSurface() override;

    /// The part of the image that the surface shows.
    [[nodiscard]] virtual ImagePart part() const = 0;
    /// The displayed image; its member `image` is null if no file is open.
    [[nodiscard]] const vm::ShownSlice& shown() const noexcept { return images_.shown(); }
    /// Sets the longest side of a texture in px. For tests of the tiling.
    void setLargestTexture(int side);
    /// Number of textures created for results; constant for successive results of one image.
    [[nodiscard]] int resultAllocations() const noexcept {
        return images_.resultTexture().allocations() + tileStore().allocations();
    }
    /// Sets the bytes of tile textures above which invisible tiles are deleted.
    void setTextureBudget(std::uint64_t bytes) noexcept { images_.store().setBudget(bytes); }
    /// The tiles on the graphics card, with upload statistics.
    [[nodiscard]] const TileTextures& tileStore() const noexcept { return images_.store(); }
    /// Number of paints.
    [[nodiscard]] int paints() const noexcept { return paints_; }
    /// Time of this thread in the last paint including copies, ms.
    [[nodiscard]] double paintMilliseconds() const noexcept { return paintMilliseconds_; }
    /// Draws a part of the image, with window, colours and split, into the bound framebuffer in full quality,
    /// without the background. The surface's context must be current (makeCurrent()).
    /// @throws Error(outOfMemory) if the driver refuses textures
    void paintInto(const ImagePart& part);
    /// Sets the tree for light() and select(), null for none; its node indices are loaded to the graphics card if they
    /// fit.
    void setTree(const std::shared_ptr<const ComponentTree>& tree);
    /// Highlights a component of the tree in the image on the screen; null for none. Requires highlightsComponent().
    void light(std::optional<std::uint32_t> node);
    /// Highlights all nodes of the tree whose bit is set, below the component; null for none. Requires
    /// highlightsSelection().
    void select(NodeBitsTexture::Bits bits, const ComponentHighlight::Colours& colours);
    /// Whether the node indices of the visible part are loaded. If not, the component must be shown in another way.
    [[nodiscard]] bool highlightsComponent() const noexcept { return highlighted_ != Highlighted::nothing; }
    /// Whether the graphics card can show the selection; see highlightsComponent().
    [[nodiscard]] bool highlightsSelection() const noexcept { return highlighted_ == Highlighted::all; }
    [[nodiscard]] ComponentHighlight& componentHighlight() noexcept { return light_; }
    /// Whether the last paint had all tiles in the required resolution.
    [[nodiscard]] bool isComplete() const noexcept { return complete_; }
    /// OpenGL renderer: "NVIDIA H100 80GB HBM3/PCIe/SSE2", "llvmpipe (...)"; empty before the first paint.
    [[nodiscard]] QString renderer() const { return renderer_; }
    /// Whether all changes have been drawn.
    [[nodiscard]] bool isUpToDate() const noexcept { return change_ == Change::none; }
    /// Schedules drawing after a pending frame of the window, so that other widgets are on the screen first and the
    /// frame of the surface is the last. update() does not draw.
    void wantFrame() { frames_.requestDrawing(); }

signals:
    void highlightAbilityChanged(); ///< highlightsComponent() or highlightsSelection()
    /// The surface cannot be used any more; @p message is the reason.
    void failed(const QString& message);

protected:
    /// @param display must outlive this @param expectedTime see FrameSchedule
    ImageSurface(vm::DisplayViewModel& display, FrameSchedule::ExpectedTime expectedTime, QWidget* parent);

    /// Sets another image, or another result of the same image.
    void take(const vm::ShownSlice& shown);
    /// Sets the channels of the composite, if it is shown.
    void takeChannels();
    /// Draws another image or view. Software rendering draws the frames of a drag coarsely, and the last one again in
    /// full quality.
    void repaintView();
    [[nodiscard]] const ShownImages& images() const noexcept { return images_; }
    /// Sets how results get to the graphics card.
    [[nodiscard]] virtual vm::DisplayMode mode() const { return vm::DisplayMode::automatic; }
    /// The node indices of a tree on the device that built it.
    [[nodiscard]] virtual NodeTexture::Source numbersOf(const std::shared_ptr<const ComponentTree>&) const {
        return {};
    }
    virtual void resultLoaded() {} ///< to the graphics card; called while painting, as the next two are
    virtual void numbersLoaded() {}
    virtual void painted() {}

    void initializeGL() override;
    void paintGL() override;
    void failGl(const QString& reason) override;
    void frameResized() override {}
    void showSoon() override { frames_.requestShowing(); }
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Gl { none, ready, refused, broken }; ///< broken after it was ready
    /// What the next paint changes; `highlights` includes an image in higher resolution.
    enum class Change { none, highlights, image };
    /// What the graphics card can highlight; all: component and selection.
    enum class Highlighted { nothing, component, all };

    [[nodiscard]] bool isSetUp() const noexcept { return gl_ == Gl::ready || gl_ == Gl::broken; }
    void updateImages();
    void paintImage(const ImagePart& part);
    void loadLight(const ImagePart& part, bool isSame);
    void paintSelection(const ImagePart& part);
    void setHighlighted(Highlighted highlighted);
    /// Schedules a frame.
    void changed(Change change);

    ShownImages images_;
    ComponentHighlight light_;
    FrameSchedule frames_;
    QString renderer_;
    int samplesLimit_ = 0;
    QTimer refine_; ///< runs while frames are drawn coarsely
    Gl gl_ = Gl::none;
    Change change_ = Change::image;
    Highlighted highlighted_ = Highlighted::nothing;
    int paints_ = 0;
    double paintMilliseconds_ = 0;
    bool complete_ = false;
};

/// Shows the image of a document, or the visible slice of its volume. The view of DisplayViewModel is in device px
/// here, so that "1:1" maps a px of the image to a px of the screen for every pixel ratio. Node indices of the
/// document's tree are written by its engine if possible.
class Canvas : public ImageSurface {
    Q_OBJECT

public:
    /// @param document,display,presentation must outlive this
    Canvas(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::PresentationViewModel& presentation,
           QWidget* parent = nullptr);

    /// Mouse, wheel and keys.
    [[nodiscard]] CanvasInput& input() noexcept { return input_; }
    [[nodiscard]] ImagePart part() const override { return ImagePart::of(display_.view()); }

protected:
    [[nodiscard]] vm::DisplayMode mode() const override { return presentation_.mode(); }
    [[nodiscard]] NodeTexture::Source numbersOf(const std::shared_ptr<const ComponentTree>& tree) const override;
    /// Reports the path of the result.
    void resultLoaded() override;
    void numbersLoaded() override;
    void painted() override;
    void frameResized() override { display_.setViewSize(frameSize()); }

private:
    void takeDocument();
    void reportSwap();

    vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
    vm::PresentationViewModel& presentation_;
    CanvasInput input_;
    std::optional<FilterSpec> painted_; ///< filter of the image that is drawn and not yet on the screen
};

} // namespace pollard::app
