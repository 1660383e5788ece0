#pragma once

#include "gl/picture_part.hpp"
#include "gl/texture_tile.hpp"
#include "gl/tone_uniforms.hpp"

#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QPointF>
#include <QRectF>

#include <array>
#include <memory>
#include <vector>

namespace pollard::app {

/// Draws a picture and its filter result: tone (Tone) and split are uniforms.
class ImagePainter : protected QOpenGLExtraFunctions {
public:
    struct View : PicturePart {
        double split = 0; ///< device px; the part left of it shows `before`
        Tone tone;
        GLuint colourMap = 0;
        bool smooth = false;  ///< magnified pixels are interpolated instead of shown as squares
        int samplesLimit = 8; ///< maximum number of fetches per axis for a shrunk picture
    };

    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// Draws the tiles of both pictures, which have the same size in px. Tiles of one picture must not overlap.
    void render(const std::vector<TextureTile>& before, const std::vector<TextureTile>& after, const View& view);
    void destroy();

private:
    /// Locations of the uniforms of one picture.
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
    QOpenGLVertexArrayObject
        vertices_; ///< empty: the shader makes the corners, but a core profile requires a bound one
};

} // namespace pollard::app
