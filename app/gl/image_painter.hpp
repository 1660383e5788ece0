#pragma once

#include "gl/tiled_texture.hpp"
#include "gl/tone_uniforms.hpp"

#include <QColor>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QPointF>
#include <QSize>

#include <memory>
#include <vector>

namespace pollard::app {

/// Draws a picture and its filtered twin: how levels look (Tone) and the split
/// between both are uniforms.
class ImagePainter : protected QOpenGLExtraFunctions {
public:
    struct View {
        QSize viewport;   ///< device px
        QPointF origin;   ///< of the picture's top left corner, device px
        double scale = 1; ///< device px per px of the picture
        double split = 0; ///< device px; what lies left of it comes from `before`
        Tone tone;
        bool smooth = false;  ///< magnified pixels are blended instead of shown as squares
        int samplesLimit = 8; ///< at most this many fetches per axis when the picture is shrunk
    };

    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// Takes the colours of the map, from the lowest level to the highest; at least one.
    void uploadColourMap(const std::vector<QColor>& colours);
    /// Draws; both textures hold pictures of the same size.
    void render(const TiledTexture& before, const TiledTexture& after, const View& view);
    void destroy();

private:
    std::unique_ptr<QOpenGLShaderProgram> program_;
    QOpenGLVertexArrayObject vertices_; ///< empty: the shader makes the corners, but a core profile wants one bound
    GLuint colourMap_ = 0;
};

} // namespace pollard::app
