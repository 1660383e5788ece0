#pragma once

#include <QImage>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QRegion>

#include <memory>

namespace pollard::app {

/// Draws a picture with transparency over the framebuffer, pixel by pixel. All calls require the same context to be
/// current.
class LayerPainter : protected QOpenGLExtraFunctions {
public:
    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// Uploads the changed part of a picture, or all of it if the size has changed.
    /// @param picture Format_ARGB32_Premultiplied
    /// @param changed px of the picture
    void load(const QImage& picture, const QRegion& changed);
    /// @param covered px of the picture outside of which it is transparent
    /// @param bottom row of the framebuffer for the picture's last row
    void render(const QRegion& covered, int bottom);
    void destroy();

private:
    void copy(const QImage& picture, const QRect& part);

    std::unique_ptr<QOpenGLShaderProgram> program_;
    QOpenGLVertexArrayObject vertices_;
    GLuint texture_ = 0;
    QSize size_;
};

} // namespace pollard::app
