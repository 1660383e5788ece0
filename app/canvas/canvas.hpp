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

/// Shows the picture of a document and its filtered twin on the graphics card. The view of DisplayViewModel is in
/// device px here, so that "1:1" maps a px of the picture to a px of the screen on every display density.
class Canvas : public GlSurface {
    Q_OBJECT

public:
    /// @param document,display,presentation must outlive this
    Canvas(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::PresentationViewModel& presentation,
           QWidget* parent = nullptr);
    ~Canvas() override;

    /// Longest side of one texture in px. For tests of the tiling.
    void setLargestTexture(int side);
    /// Textures made so far for results: stays the same while results of one picture follow each other.
    [[nodiscard]] int resultAllocations() const noexcept { return resultTexture_.allocations() + store_.allocations(); }
    /// Bytes of textures of tiles beyond which those go that are not seen.
    void setTextureBudget(std::uint64_t bytes) noexcept { store_.setBudget(bytes); }
    /// The tiles on the graphics card, and what was copied there.
    [[nodiscard]] const TileStore& tileStore() const noexcept { return store_; }
    /// Paints so far.
    [[nodiscard]] int paints() const noexcept { return paints_; }
    /// Milliseconds of this thread that the last paint took, the copies in it included.
    [[nodiscard]] double paintMilliseconds() const noexcept { return paintMilliseconds_; }
    /// A part of the plane in which the picture lies, as big as a framebuffer.
    struct Part {
        QSize size;       ///< of the framebuffer, px
        QPointF origin;   ///< of the picture's top left corner, px of the framebuffer
        double scale = 1; ///< px of the framebuffer per px of the picture
    };
    /// Draws that part of what the canvas shows, with its window, colours and split, into the framebuffer that is
    /// bound, in full quality. The background stays as it is. The canvas's context must be current (makeCurrent()).
    /// @throws Error(outOfMemory) when the driver refuses textures for it
    void paintInto(const Part& part);
    /// Lets a tool take part in what mouse and keyboard do. It must outlive the canvas's input.
    void addTool(CanvasTool& tool) { tools_.push_back(&tool); }
    /// Components of this tree may be lit, so its numbers are brought to the graphics card as far as they find room
    /// there; null for none. If it is the document's, the engine that has it may write them.
    void setTree(const std::shared_ptr<const ComponentTree>& tree);
    /// Lights a component of that tree in the picture on the screen, none for null; as long as lights().
    void light(std::optional<std::uint32_t> node);
    /// Lights all nodes of that tree that have a bit, below the component; none for null. As long as selects().
    void select(NodeBitsTexture::Bits bits, const ComponentLight::Colours& colours);
    /// The numbers of what is seen are there. If not, somebody else has to show the component.
    [[nodiscard]] bool lights() const noexcept { return lights_; }
    /// The same for what is selected.
    [[nodiscard]] bool selects() const noexcept { return lights_ && selects_; }
    [[nodiscard]] ComponentLight& componentLight() noexcept { return light_; }
    /// Whether the last paint had every tile in the resolution that it should have.
    [[nodiscard]] bool isComplete() const noexcept { return complete_; }
    /// Who draws: "NVIDIA H100 80GB HBM3/PCIe/SSE2", "llvmpipe (...)"; empty before the first paint.
    [[nodiscard]] QString renderer() const { return renderer_; }
    /// Whether everything that changed has been drawn.
    [[nodiscard]] bool isUpToDate() const noexcept { return drawn_; }
    /// Draws again, after the window's frame if one is due: what other widgets paint comes to the screen first, and the
    /// frame of the canvas tells that everything is there. update() does not draw.
    void wantFrame();

signals:
    /// Place of the pointer in the picture, in px of the picture; may lie beside it.
    void pointerMoved(const QPointF& image);
    void pointerLeft();
    /// The left button went down and up again in one place of the picture, px of the picture, and no tool took it.
    void clicked(const QPointF& image, Qt::KeyboardModifiers modifiers);
    void lightsChanged(); ///< or selects()
    /// The canvas cannot work on; the message says why.
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
    /// @returns whether every tile has the resolution that it should have
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
    /// Device px from the left; 0 without a split.
    [[nodiscard]] double splitLine() const;
    [[nodiscard]] bool hasResult() const noexcept { return result_ || deviceFrame_; }
    [[nodiscard]] bool isOfImage(const std::shared_ptr<const Image>& result,
                                 const std::shared_ptr<const DeviceFrame>& frame) const;
    [[nodiscard]] bool hasTwin() const;
    [[nodiscard]] bool nearSplit(QPointF position) const;
    /// The tool that takes a press of the left button; null if none does.
    [[nodiscard]] CanvasTool* toolFor(const QMouseEvent& event, bool aboveSplit) const;
    void showCursorFor(QPointF position);
    void tellPointer();

    vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
    vm::PresentationViewModel& presentation_;
    std::shared_ptr<const Image> image_;
    std::shared_ptr<const Image> result_; ///< null as long as only the device has it
    std::shared_ptr<const Pyramid> imagePyramid_;
    std::shared_ptr<const Pyramid> resultPyramid_;   ///< null if the result came without
    std::shared_ptr<const DeviceFrame> deviceFrame_; ///< the same picture as result_, or null
    Engine* resultEngine_ = nullptr;
    FilterSpec resultSpec_;
    std::optional<FilterSpec> painted_; ///< made the picture that was drawn and is not on the screen yet
    QString renderer_;

    std::vector<CanvasTool*> tools_;
    CanvasTool* activeTool_ = nullptr; ///< gets the movements of the drag
    Drag drag_ = Drag::none;
    QPointF lastPosition_;
    std::optional<QPointF> clickPosition_; ///< where the left button went down, until the pointer moves away
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
    /// Software rendering only: frames of a drag are drawn coarsely, the one it ends with once more and finely.
    bool software_ = false;
    bool fine_ = true;
    QTimer refine_;
    bool imageDirty_ = true;
    bool resultDirty_ = true;
    bool coloursDirty_ = true;
    bool pictureChanged_ = true; ///< since the last paint
    bool isSame_ = false;        ///< what the next paint shows, but for the light, is what the last one showed
    bool lights_ = false;
    vm::NumbersTransfer numbersTold_;
    bool selects_ = true;      ///< the bits of the selection find room on the graphics card
    QPointer<QWidget> window_; ///< whose frames are looked at
    QTimer patience_;          ///< while a frame of the window waits for a result
    int paints_ = 0;
    bool isFrameWanted_ = false;   ///< not drawn yet
    bool isFrameAsked_ = false;    ///< an event will show one
    bool isWindowWaiting_ = false; ///< a frame of the window was held back
    bool isPatienceOver_ = false;
    double paintMilliseconds_ = 0;
    bool complete_ = false;
    bool ready_ = false;
    bool failed_ = false;
    bool drawn_ = false;
};

} // namespace pollard::app
