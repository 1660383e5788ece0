#pragma once

#include "canvas/surface_window.hpp"

#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QPointer>
#include <QRegion>
#include <QString>
#include <QSurfaceFormat>
#include <QWidget>
#include <QWindow>

#include <memory>

namespace pollard::app {

/// Draws an image with transparency over the framebuffer, pixel by pixel. All calls require the same context to be
/// current.
class LayerPainter : protected QOpenGLExtraFunctions {
public:
    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// Uploads the changed part of an image, or the whole image if its size has changed.
    /// @param image Format_ARGB32_Premultiplied
    /// @param changed px of the image
    void load(const QImage& image, const QRegion& changed);
    /// @param covered px of the image; it is transparent outside
    /// @param bottom row of the framebuffer for the image's last row
    void render(const QRegion& covered, int bottom);
    void destroy();

private:
    void copy(const QImage& image, const QRect& part);

    std::unique_ptr<QOpenGLShaderProgram> program_;
    QOpenGLVertexArrayObject vertices_;
    GLuint texture_ = 0;
    QSize size_;
};

/// A widget drawn with OpenGL in a native child window that covers it. Showing a frame moves only the pixels of the
/// widget, and the window around it is painted without OpenGL. (QOpenGLWidget would make OpenGL compose and show the
/// whole window with every frame.)
///
/// The native window passes mouse and keyboard to the widget. The widget's children are composed over the frame; their
/// own children should not paint. A widget that covers this one without being its child requires layOverSurfaces().
class GlSurface : public QWidget {
    Q_OBJECT

public:
    ~GlSurface() override;

    /// Null before the first frame.
    [[nodiscard]] QOpenGLContext* context() const noexcept { return context_.get(); }
    /// Makes the context current, always the same, even if the widget is moved to another window.
    /// @returns false before the first frame and if the driver has lost the context
    bool makeCurrent();
    void doneCurrent();
    /// The target of paintGL(); 0 before the first frame.
    [[nodiscard]] GLuint frameBuffer() const { return frame_ ? frame_->handle() : 0; }
    /// Draws a frame and returns it without the children; null on failure.
    QImage grabFramebuffer();

signals:
    /// A frame was passed to the screen.
    void frameSwapped();

protected:
    explicit GlSurface(const QSurfaceFormat& format, QWidget* parent = nullptr);

    /// Called once with the context current.
    virtual void initializeGL() = 0;
    /// Draws the frame; context, framebuffer and viewport are set.
    virtual void paintGL() = 0;
    /// Called if OpenGL or memory for a frame is missing; @p reason is user-readable.
    virtual void failGl(const QString& reason) = 0;
    /// Called if the next frame has another size, frameSize(): the widget was resized, or its pixel ratio has changed.
    virtual void frameResized() = 0;
    /// Called if the screen does not show the present frame and children: showFrame() should be called soon.
    virtual void showSoon() = 0;

    /// Size of the widget with its present pixel ratio, device px.
    [[nodiscard]] QSize frameSize() const { return size() * devicePixelRatioF(); }

    /// Shows the last frame, or draws a new one. No effect while the widget is hidden.
    void showFrame(bool draw);

    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool start();
    [[nodiscard]] bool drawFrame();
    void present();

    QSurfaceFormat format_;
    QPointer<QWindow> surface_; ///< owned by its container
    QWidget* container_ = nullptr;
    std::unique_ptr<QOffscreenSurface> offscreen_; ///< while there is no native window
    std::unique_ptr<QOpenGLContext> context_;
    std::unique_ptr<QOpenGLFramebufferObject> frame_;
    ChildLayer children_;
    LayerPainter layerPainter_;
    bool started_ = false; ///< or failed to
};

/// Makes a widget a native window, so that it is visible over a GlSurface that is not its parent. The window hides
/// everything below, because its only transparency is a mask. Call before showing the widget.
void layOverSurfaces(QWidget& widget);

/// User-readable reason why the canvas cannot be shown; empty if it can. Requires a QGuiApplication.
[[nodiscard]] QString openGlProblem();

/// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5"; empty without OpenGL.
[[nodiscard]] QString openGlDescription();

/// OpenGL 3.3 without depth and stencil.
[[nodiscard]] QSurfaceFormat surfaceFormat();

/// @param renderer GL_RENDERER @returns whether the processor draws
[[nodiscard]] bool drawsInSoftware(const QString& renderer);

} // namespace pollard::app
