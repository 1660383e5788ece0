#pragma once

#include "canvas/component_light.hpp"
#include "canvas/gl_surface.hpp"
#include "gl/image_painter.hpp"
#include "gl/picture_tiles.hpp"
#include "gl/result_texture.hpp"
#include "gl/split_painter.hpp"
#include "gl/tile_store.hpp"

#include "image/image.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/presentation_view_model.hpp"
#include "vm/document/document_view_model.hpp"

#include <QPointF>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace pollard::app {

class CanvasTool;

/// Shows the picture of a document and its filter result with OpenGL. The view of DisplayViewModel is in device px
/// here, so that "1:1" maps a px of the picture to a px of the screen for every pixel ratio.
class Canvas : public GlSurface {
    Q_OBJECT

public:
    /// @param document,display,presentation must outlive this
    Canvas(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::PresentationViewModel& presentation,
           QWidget* parent = nullptr);
    ~Canvas() override;

    /// Sets the longest side of a texture in px. For tests of the tiling.
    void setLargestTexture(int side);
    /// Number of textures created for results; constant for successive results of one picture.
    [[nodiscard]] int resultAllocations() const noexcept { return resultTexture_.allocations() + store_.allocations(); }
    /// Sets the bytes of tile textures above which invisible tiles are deleted.
    void setTextureBudget(std::uint64_t bytes) noexcept { store_.setBudget(bytes); }
    /// The tiles on the graphics card, with upload statistics.
    [[nodiscard]] const TileStore& tileStore() const noexcept { return store_; }
    /// Number of paints.
    [[nodiscard]] int paints() const noexcept { return paints_; }
    /// Time of this thread in the last paint including copies, ms.
    [[nodiscard]] double paintMilliseconds() const noexcept { return paintMilliseconds_; }
    /// A part of the plane of the picture, of the size of a framebuffer.
    struct Part {
        QSize size;       ///< of the framebuffer, px
        QPointF origin;   ///< of the picture's top left corner, px of the framebuffer
        double scale = 1; ///< px of the framebuffer per px of the picture
    };
    /// Draws a part of the view, with its window, colours and split, into the bound framebuffer in full quality,
    /// without the background. The canvas's context must be current (makeCurrent()).
    /// @throws Error(outOfMemory) if the driver refuses textures
    void paintInto(const Part& part);
    /// Adds a tool that handles mouse and keyboard. It must outlive the canvas's input.
    void addTool(CanvasTool& tool) { tools_.push_back(&tool); }
    /// Sets the tree for light() and select(), null for none; its node indices are loaded to the graphics card if they
    /// fit. For the tree of the document its engine can write them.
    void setTree(const std::shared_ptr<const ComponentTree>& tree);
    /// Highlights a component of that tree in the picture on the screen, none for null; requires lights().
    void light(std::optional<std::uint32_t> node);
    /// Highlights all nodes of that tree with their bit set, below the component; none for null. Requires selects().
    void select(NodeBitsTexture::Bits bits, const ComponentLight::Colours& colours);
    /// Whether the numbers of the visible part are loaded. If not, the component must be shown in another way.
    [[nodiscard]] bool lights() const noexcept { return lights_; }
    /// The same for the selection.
    [[nodiscard]] bool selects() const noexcept { return lights_ && selects_; }
    [[nodiscard]] ComponentLight& componentLight() noexcept { return light_; }
    /// Whether the last paint had all tiles in the required resolution.
    [[nodiscard]] bool isComplete() const noexcept { return complete_; }
    /// OpenGL renderer: "NVIDIA H100 80GB HBM3/PCIe/SSE2", "llvmpipe (...)"; empty before the first paint.
    [[nodiscard]] QString renderer() const { return renderer_; }
    /// Whether all changes have been drawn.
    [[nodiscard]] bool isUpToDate() const noexcept { return drawn_; }
    /// Schedules drawing after a pending frame of the window, so that other widgets are on the screen first and the
    /// frame of the canvas is the last. update() does not draw.
    void wantFrame();

signals:
    /// Position of the pointer in px of the picture, possibly outside.
    void pointerMoved(const QPointF& image);
    void pointerLeft();
    /// Click with the left button without movement, px of the picture, not handled by a tool.
    void clicked(const QPointF& image, Qt::KeyboardModifiers modifiers);
    void lightsChanged(); ///< or selects()
    /// The canvas cannot be used any more; @p message is the reason.
    void failed(const QString& message);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void customEvent(QEvent* event) override;
    void initializeGL() override;
    void paintGL() override;
    void failGl(const QString& reason) override;
    void childrenChanged() override { askForFrame(); }
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Drag { none, picture, split, tool };

    void takeImage();
    void takeResult();
    void releaseGl();
    void uploadWhatChanged();
    [[nodiscard]] Part shownPart() const;
    /// @returns whether all tiles have the required resolution
    bool renderPictures(const Part& part, int samplesLimit, UploadAllowance allowance);
    void showResult();
    void paintPicture(const Part& part);
    void loadLight(const Part& part, bool isSame);
    void paintSelection(const ComponentLight::View& view);
    void reportNumbers();
    void reportSwap();
    void repaintView();
    void followWindow();
    void askForFrame();
    [[nodiscard]] bool holdsBack();
    void giveFrame();
    void fail(const QString& message);
    void tellViewSize();
    [[nodiscard]] QPointF toDevice(QPointF position) const { return position * devicePixelRatioF(); }
    /// Top left corner of the picture in device px, on whole px so that magnified pixels keep sharp edges.
    [[nodiscard]] QPointF origin() const;
    /// device px from the left; 0 without a split
    [[nodiscard]] double splitLine() const;
    [[nodiscard]] bool hasResult() const noexcept { return result_ || deviceFrame_; }
    [[nodiscard]] bool isOfImage(const std::shared_ptr<const Image>& result,
                                 const std::shared_ptr<const DeviceFrame>& frame) const;
    [[nodiscard]] bool hasTwin() const;
    [[nodiscard]] bool nearSplit(QPointF position) const;
    /// The tool that handles a press of the left button; null for none.
    [[nodiscard]] CanvasTool* toolFor(const QMouseEvent& event, bool aboveSplit) const;
    void showCursorFor(QPointF position);
    void tellPointer();

    vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
    vm::PresentationViewModel& presentation_;
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const Image> result_; ///< null while only the device has it
    std::shared_ptr<const Pyramid> imagePyramid_;
    std::shared_ptr<const Pyramid> resultPyramid_;   ///< null if the result has none
    std::shared_ptr<const DeviceFrame> deviceFrame_; ///< the same picture as result_, or null
    Engine* resultEngine_ = nullptr;
    FilterSpec resultSpec_;
    std::optional<FilterSpec> painted_; ///< filter of the picture that is drawn and not yet on the screen
    QString renderer_;

    std::vector<CanvasTool*> tools_;
    CanvasTool* activeTool_ = nullptr; ///< handles the movements of the drag
    Drag drag_ = Drag::none;
    QPointF lastPosition_;
    std::optional<QPointF> clickPosition_; ///< position of the press of the left button, until the pointer moves
    std::optional<QPointF> pointer_;       ///< while it is over the canvas

    TileStore store_;
    PictureTiles imageTiles_{store_};
    PictureTiles resultTiles_{store_}; ///< empty while the device writes the result
    ResultTexture resultTexture_;
    ImagePainter imagePainter_;
    SplitPainter splitPainter_;
    ComponentLight light_;
    int largestTexture_ = 16384;
    int samplesLimit_ = 8;
    /// Software rendering only: frames of a drag are drawn coarsely, the last one again in full quality.
    bool software_ = false;
    bool fine_ = true;
    QTimer refine_;
    bool imageDirty_ = true;
    bool resultDirty_ = true;
    bool coloursDirty_ = true;
    bool pictureChanged_ = true; ///< since the last paint
    bool isSame_ = false;        ///< the next paint differs from the last one only in highlights
    bool lights_ = false;
    vm::NumbersTransfer numbersTold_;
    bool selects_ = true;      ///< the bits of the selection fit on the graphics card
    QPointer<QWidget> window_; ///< its paint requests are filtered
    QTimer patience_;          ///< runs while a frame of the window waits for a result
    int paints_ = 0;
    bool isFrameWanted_ = false;   ///< to be drawn
    bool isFrameAsked_ = false;    ///< an event for it is pending
    bool isWindowWaiting_ = false; ///< a frame of the window was held back
    bool isPatienceOver_ = false;
    double paintMilliseconds_ = 0;
    bool complete_ = false;
    bool ready_ = false;
    bool failed_ = false;
    bool drawn_ = false;
};

} // namespace pollard::app
