#pragma once

#include "gl/node_texture.hpp"

#include "tree/node_set.hpp"

#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QPointF>
#include <QRgb>
#include <QSize>

#include <memory>

namespace pollard::app {

/// Lights a component over the picture: tints its pixels and draws their outline. Costs the same for every component.
class ComponentPainter : protected QOpenGLExtraFunctions {
public:
    struct View {
        QSize viewport;   ///< device px
        QPointF origin;   ///< of the picture's top left corner, device px
        double scale = 1; ///< device px per px of the picture
    };
    /// Premultiplied.
    struct Colours {
        QRgb fill = 0;
        QRgb outline = 0;
    };

    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    void render(const NodeTexture::Layers& nodes, NodeInterval component, const Colours& colours, const View& view);
    void destroy();

private:
    std::unique_ptr<QOpenGLShaderProgram> program_;
    QOpenGLVertexArrayObject vertices_;
};

} // namespace pollard::app
