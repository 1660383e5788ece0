#include "gl/image_painter.hpp"

#include "gl/shader.hpp"

#include <QVector2D>
#include <QVector4D>

#include <algorithm>
#include <array>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kMapSize = 256;

/// How the shader averages: 1 is a single fetch, 0 weighs every texel under a device pixel, n is a grid of n x n.
int samplesFor(double scale, int limit) {
    if (scale >= 1.0) {
        return 1;
    }
    // A footprint of w px touches up to ceil(w) + 1 texels per axis.
    return std::ceil(1.0 / scale - 1e-6) + 1 <= limit ? 0 : limit;
}

} // namespace

void ImagePainter::setup() {
    initializeOpenGLFunctions();
    program_ = makeProgram(QStringLiteral("image"), {QStringLiteral("tone")});
    vertices_.create();
    uploadColourMap({Qt::black, Qt::white});
}

void ImagePainter::uploadColourMap(const std::vector<QColor>& colours) {
    std::array<std::uint8_t, kMapSize * 4> texels{};
    const double last = static_cast<double>(colours.size()) - 1;
    for (int i = 0; i < kMapSize; ++i) {
        const double position = last * i / (kMapSize - 1);
        const auto low = static_cast<std::size_t>(position);
        const std::size_t high = std::min(low + 1, colours.size() - 1);
        const double t = position - static_cast<double>(low);
        const auto mix = [t](int a, int b) { return static_cast<std::uint8_t>(std::lround(a + (b - a) * t)); };
        std::uint8_t* texel = &texels[static_cast<std::size_t>(i) * 4];
        texel[0] = mix(colours[low].red(), colours[high].red());
        texel[1] = mix(colours[low].green(), colours[high].green());
        texel[2] = mix(colours[low].blue(), colours[high].blue());
        texel[3] = 255;
    }
    if (colourMap_ == 0) {
        glGenTextures(1, &colourMap_);
    }
    glBindTexture(GL_TEXTURE_2D, colourMap_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kMapSize, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
}

void ImagePainter::render(const TiledTexture& before, const TiledTexture& after, const View& view) {
    const int samples = samplesFor(view.scale, view.samplesLimit);
    program_->bind();
    program_->setUniformValue("uBefore", 0);
    program_->setUniformValue("uAfter", 1);
    setToneUniforms(*program_, view.tone, 2);
    program_->setUniformValue("uOrigin", QVector2D(view.origin));
    program_->setUniformValue("uScale", static_cast<float>(view.scale));
    program_->setUniformValue(
        "uViewport", QVector2D(static_cast<float>(view.viewport.width()), static_cast<float>(view.viewport.height())));
    program_->setUniformValue("uSplit", static_cast<float>(view.split));
    program_->setUniformValue("uSamples", samples);
    program_->setUniformValue("uBlend", view.smooth && view.scale > 1.0 ? 1 : 0);

    const QRectF visible(-view.origin / view.scale, QSizeF(view.viewport) / view.scale);
    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    for (std::size_t i = 0; i < before.tiles().size(); ++i) {
        const QRect area = before.tiles()[i].area;
        if (!visible.intersects(area)) {
            continue;
        }
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, before.tiles()[i].texture);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, after.tiles()[i].texture);
        glActiveTexture(GL_TEXTURE2);
        glBindTexture(GL_TEXTURE_2D, colourMap_);
        program_->setUniformValue("uTile",
                                  QVector4D(static_cast<float>(area.x()), static_cast<float>(area.y()),
                                            static_cast<float>(area.width()), static_cast<float>(area.height())));
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    for (const GLenum unit : {GL_TEXTURE2, GL_TEXTURE1, GL_TEXTURE0}) {
        glActiveTexture(unit);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    program_->release();
}

void ImagePainter::destroy() {
    if (colourMap_ != 0) {
        glDeleteTextures(1, &colourMap_);
        colourMap_ = 0;
    }
    vertices_.destroy();
    program_.reset();
}

} // namespace pollard::app
