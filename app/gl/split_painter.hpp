#pragma once

#include <QColor>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QSize>

#include <memory>

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

} // namespace pollard::app
