#pragma once

#include <QImage>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QRegion>

#include <memory>

namespace pollard::app {

/// Lays a picture with transparent parts over what the framebuffer shows, pixel by pixel. Every call needs the same
/// context to be current.
class LayerPainter : protected QOpenGLExtraFunctions {
public:
    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// Copies the changed part of a picture to the graphics card, and all of it where the size is another one.
    /// @param picture Format_ARGB32_Premultiplied
    /// @param changed px of the picture
    void load(const QImage& picture, const QRegion& changed);
    /// @param covered px of the picture, outside of which it is transparent
    /// @param bottom of the framebuffer's rows the one that the picture's last row comes to
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
