#pragma once

#include "gl/texture_tile.hpp"
#include "gl/tone_uniforms.hpp"

#include <QColor>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QPointF>
#include <QRectF>
#include <QSize>

#include <array>
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
    /// Draws where tiles of both pictures lie; these have the same size in px. Tiles of one picture do not overlap.
    void render(const std::vector<TextureTile>& before, const std::vector<TextureTile>& after, const View& view);
    void destroy();

private:
    /// Places of one picture's uniforms.
    struct SourceUniforms {
        int texel = -1;
        int size = -1;
        int step = -1;
        int samples = -1;
        int masked = -1;
    };
    void findUniforms();
    void bind(GLenum unit, GLuint texture);
    void setSource(std::size_t index, const TextureTile& tile, QPointF corner, const View& view);
    void draw(const TextureTile& before, const TextureTile& after, const View& view);

    std::array<SourceUniforms, 2> sources_; ///< before, after
    int rect_ = -1;
    std::unique_ptr<QOpenGLShaderProgram> program_;
    QOpenGLVertexArrayObject vertices_; ///< empty: the shader makes the corners, but a core profile wants one bound
    GLuint colourMap_ = 0;
};

} // namespace pollard::app
