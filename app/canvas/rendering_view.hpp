#pragma once

#include "canvas/frame_schedule.hpp"
#include "canvas/gl_surface.hpp"
#include "gl/tone.hpp"
#include "gl/volume_painter.hpp"

#include <QList>
#include <QPointF>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

class QOpenGLFramebufferObject;

namespace pollard::vm {
class ChainViewModel;
class DisplayViewModel;
class DocumentViewModel;
class OrthogonalViewModel;
class RenderingViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Shows a volume and its result from any direction, in the colours of the display. A drag turns the volume; with the
/// middle button or Shift, it moves the volume. The wheel zooms. A click that does not become a double click moves the
/// cross hair and holds the chain or releases it. The chain follows the pointer.
///
/// A window has two such views. A hidden view frees its textures while the other view is shown.
///
/// If drawing takes longer than a frame, a changed view is drawn coarsely first and in full quality after a pause,
/// band by band.
class RenderingView : public GlSurface {
    Q_OBJECT

public:
    struct ViewModels {
        vm::DocumentViewModel& document;
        vm::DisplayViewModel& display;
        vm::ChainViewModel& chain;
        vm::OrthogonalViewModel& orthogonal;
        vm::RenderingViewModel& rendering;
    };

    /// @param models must outlive this
    explicit RenderingView(const ViewModels& models, QWidget* parent = nullptr);
    ~RenderingView() override;

    [[nodiscard]] QSize sizeHint() const override;
    /// Whether the present view is on the screen in full quality.
    [[nodiscard]] bool isComplete() const noexcept { return complete_; }
    /// Duration of the last drawing of the volume.
    [[nodiscard]] double drawMilliseconds() const noexcept { return drawMilliseconds_; }
    /// The reason why nothing can be drawn; empty if there is none.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    /// Whether the graphics card has a copy of the volume for this view.
    [[nodiscard]] bool hasTextures() const noexcept { return before_.hasTexture(); }

signals:
    void problemChanged();
    void doubleClicked(); ///< with the left button

protected:
    void initializeGL() override;
    void paintGL() override;
    void failGl(const QString& reason) override;
    void frameResized() override { startAgain(); }
    void showSoon() override { frames_.requestShowing(); }
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void takeVolume();
    /// The views of the same window.
    [[nodiscard]] QList<RenderingView*> others();
    void freeTextures();
    void changed();
    /// Makes the next frame coarse if fine frames are slow.
    void startAgain();
    /// Copies parts of the volume to the graphics card for some milliseconds, or the whole volume.
    void load(bool all);
    /// Draws the volume and waits until it is drawn. @param stepLength in sides of a block
    void draw(QSize viewport, double stepLength);
    void drawCoarsely(QSize viewport);
    /// Draws the next rows, as many as take some milliseconds.
    void drawBand(QSize viewport);
    void drawLines(QSize viewport);
    [[nodiscard]] VolumePainter::View viewOf(QSize viewport) const;
    [[nodiscard]] std::vector<VolumePainter::Line> linesOf(QSize viewport) const;
    [[nodiscard]] bool showsResult() const;

    ViewModels models_;
    FrameSchedule frames_;
    VolumeTexture before_;
    VolumeTexture after_;
    VolumeTexture nodes_;
    ColourMapTexture colours_;
    ColourMapTexture opacities_; ///< of the curve
    vm::OpacityCurve curve_;     ///< that opacities_ has
    VolumePainter painter_;
    std::unique_ptr<QOpenGLFramebufferObject> coarse_;
    QTimer refine_; ///< runs while a view is probably replaced soon
    QString problem_;
    QTimer click_;                   ///< runs while a click may become a double click
    QPointF clicked_;                ///< place of that click
    std::optional<QPointF> pressed_; ///< of the button that is down
    QPointF last_;
    int row_ = 0; ///< next one to draw in full quality
    int rowsAtOnce_ = 8;
    int raySide_ = 4; ///< side of a square of px with one ray, in a coarse frame
    double drawMilliseconds_ = 0;
    bool isDragged_ = false;
    bool isSlow_ = false;     ///< whether drawing in full quality is slow
    bool isReady_ = false;    ///< whether OpenGL is set up
    bool onScreen_ = false;   ///< the present paint is for the screen and may be coarse
    bool hasColours_ = false; ///< colours_ has the colours of the display
    bool isCoarse_ = true;    ///< the view has changed since the last frame
    bool complete_ = false;
};

} // namespace pollard::app
