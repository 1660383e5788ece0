#pragma once

#include "canvas/child_layer.hpp"
#include "gl/layer_painter.hpp"

#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QPointer>
#include <QSurfaceFormat>
#include <QWidget>
#include <QWindow>

#include <memory>

namespace pollard::app {

/// A widget that is drawn with OpenGL, in a native window of its own that lies over it. Showing a frame moves no more
/// pixels than the widget has, and the window around it is painted without OpenGL. (QOpenGLWidget would make OpenGL
/// compose and show the whole window with every frame.)
///
/// The native window lets mouse and keyboard through to the widget. What the widget's children paint is laid over the
/// frame; their own children should paint nothing. A widget that lies over this one without being its child needs
/// layOverSurfaces().
class GlSurface : public QWidget {
    Q_OBJECT

public:
    ~GlSurface() override;

    /// Null before the first frame.
    [[nodiscard]] QOpenGLContext* context() const noexcept { return context_.get(); }
    /// The same context every time, wherever the widget is moved.
    /// @returns false before the first frame, and where the driver has lost the context
    bool makeCurrent();
    void doneCurrent();
    /// What paintGL() draws into; 0 before the first frame.
    [[nodiscard]] GLuint frameBuffer() const { return frame_ ? frame_->handle() : 0; }
    /// Draws a frame, and returns it without the children. Null if that cannot be.
    QImage grabFramebuffer();

signals:
    /// A frame was handed to the screen.
    void frameSwapped();

protected:
    explicit GlSurface(const QSurfaceFormat& format, QWidget* parent = nullptr);

    /// Called once, with the context current.
    virtual void initializeGL() = 0;
    /// Draws the frame; context, framebuffer and viewport are set.
    virtual void paintGL() = 0;
    /// There is no OpenGL, or too little memory for a frame; @p reason is for a person.
    virtual void failGl(const QString& reason) = 0;
    /// Other children are to be laid over the frame: showFrame() is to be called soon.
    virtual void childrenChanged() = 0;

    /// Shows the last frame, or a new one. Does nothing while the widget is hidden.
    void showFrame(bool draw);

    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool start();
    [[nodiscard]] bool drawFrame();
    [[nodiscard]] QSize frameSize() const { return size() * devicePixelRatioF(); }
    void present();

    QSurfaceFormat format_;
    QPointer<QWindow> surface_; ///< belongs to its container
    QWidget* container_ = nullptr;
    std::unique_ptr<QOffscreenSurface> offscreen_; ///< while there is no native window
    std::unique_ptr<QOpenGLContext> context_;
    std::unique_ptr<QOpenGLFramebufferObject> frame_;
    ChildLayer children_;
    LayerPainter layerPainter_;
    bool started_ = false; ///< or failed to
};

/// Makes a widget a native window, so that it is seen where it lies over a GlSurface that is not its parent. What it
/// paints hides what is below: a mask is all that such a window has of transparency. To be called before it is shown.
void layOverSurfaces(QWidget& widget);

} // namespace pollard::app
