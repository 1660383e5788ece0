#pragma once

#include "gl/image_part.hpp"
#include "gl/tile_textures.hpp"
#include "gl/tone.hpp"

#include <QByteArray>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QPointF>
#include <QRectF>

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace pollard::app {

/// Draws an image and its filter result: tone (Tone) and split are uniforms.
class ImagePainter : protected QOpenGLExtraFunctions {
public:
    struct View : ImagePart {
        double split = 0; ///< device px; `before` is shown on its left
        Tone tone;
        GLuint colourMap = 0;
        bool smooth = false;  ///< magnified pixels are interpolated instead of shown as squares
        int samplesLimit = 8; ///< maximum number of fetches per axis for a shrunk image
    };

    /// Compiles the shader. @throws Error(deviceFailed)
    void setup();
    /// Draws the tiles of both images, which have the same size in px. Tiles of one image must not overlap.
    void render(const std::vector<TextureTile>& before, const std::vector<TextureTile>& after, const View& view);
    void destroy();

private:
    /// Locations of the uniforms of one image.
    struct SourceUniforms {
        int texel = -1;
        int size = -1;
        int step = -1;
        int samples = -1;
        int masked = -1;
    };
    /// The shader for one way to show images.
    struct Program {
        std::unique_ptr<QOpenGLShaderProgram> program;
        std::array<SourceUniforms, 2> sources; ///< before, after
        int rect = -1;
        bool isSet = false;   ///< the uniforms that all tiles share
        bool isAfter = false; ///< the uniforms have the tone of "after"
    };
    /// The part of a view that a tile fills, device px.
    struct Part {
        double left = 0;
        double top = 0;
        double right = 0;
        double bottom = 0;
        [[nodiscard]] bool isEmpty() const noexcept { return left >= right || top >= bottom; }
    };

    /// @throws Error(deviceFailed)
    [[nodiscard]] Program load(const QByteArray& defines);
    /// Binds the program with these lines for the preprocessor, and sets the uniforms that all tiles share.
    Program& use(const QByteArray& defines, const View& view, bool isAfter);
    void bind(GLenum unit, GLuint texture);
    void setSource(const Program& program, std::size_t index, const TextureTile& tile, const Part& part,
                   const View& view);
    void draw(const TextureTile& before, const TextureTile& after, const View& view);
    /// Draws both images, compared by the shader.
    void drawBoth(const TextureTile& before, const TextureTile& after, const Part& part, const View& view);
    /// Draws one image.
    void drawOne(const TextureTile& tile, const Part& part, const View& view, bool isAfter);
    void fill(const Program& program, const Part& part);

    std::map<QByteArray, Program> programs_;
    QOpenGLVertexArrayObject
        vertices_; ///< empty: the shader makes the corners, but a core profile requires a bound one
};

} // namespace pollard::app
