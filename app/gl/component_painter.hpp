#pragma once

#include "gl/image_part.hpp"
#include "gl/node_bits_texture.hpp"
#include "gl/node_texture.hpp"

#include "tree/node_set.hpp"

#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QRgb>

#include <memory>

namespace pollard::app {

/// Highlights nodes over the image: tints their pixels and draws the outline. The cost does not depend on their
/// number.
class ComponentPainter : protected QOpenGLExtraFunctions {
public:
    /// Premultiplied.
    struct Colours {
        QRgb fill = 0;
        QRgb outline = 0;
    };

    /// Compiles the shaders. @throws Error(deviceFailed)
    void setup();
    /// Highlights a component.
    void render(const NodeTexture::Layers& nodes, NodeInterval component, const Colours& colours,
                const ImagePart& part);
    /// Highlights the nodes with a set bit; requires loaded bits. @param count of the tree's nodes
    void render(const NodeTexture::Layers& nodes, const NodeBitsTexture& bits, std::uint32_t count,
                const Colours& colours, const ImagePart& part);
    void destroy();

private:
    void draw(QOpenGLShaderProgram& program, const NodeTexture::Layers& nodes, const Colours& colours,
              const ImagePart& part);

    std::unique_ptr<QOpenGLShaderProgram> component_;
    std::unique_ptr<QOpenGLShaderProgram> selection_;
    QOpenGLVertexArrayObject vertices_;
};

} // namespace pollard::app
