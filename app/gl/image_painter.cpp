#include "gl/image_painter.hpp"

#include "gl/shader.hpp"

#include <QVector2D>
#include <QVector4D>

#include <algorithm>
#include <array>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kBlend = -1; ///< see the shader's Source::samples

// Texture units
constexpr std::array kLevelUnits{0, 1};
constexpr int kMapUnit = 2;
constexpr std::array kCoverUnits{3, 4};

/// Sampling mode of the shader: 1 is a single fetch, 0 weighs every texel under a device pixel, n is a grid of n x n.
/// @param step texels per device px
int samplesFor(double step, int limit) {
    if (step <= 1.0 + 1e-9) {
        return 1;
    }
    // A footprint of w texels touches up to ceil(w) + 1 of them per axis.
    return std::ceil(step - 1e-6) + 1 <= limit ? 0 : limit;
}

} // namespace

void ImagePainter::setup() {
    initializeOpenGLFunctions();
    program_ = makeProgram(QStringLiteral("image"), {QStringLiteral("tone")});
    findUniforms();
    vertices_.create();
}

void ImagePainter::findUniforms() {
    const std::array names{"uSourceBefore", "uSourceAfter"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto place = [&](const char* member) {
            return program_->uniformLocation(QByteArray(names[i]) + '.' + member);
        };
        sources_[i] = {place("texel"), place("size"), place("step"), place("samples"), place("isMasked")};
    }
    rect_ = program_->uniformLocation("uRect");
}

void ImagePainter::bind(GLenum unit, GLuint texture) {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

void ImagePainter::setSource(std::size_t index, const TextureTile& tile, QPointF corner, const View& view) {
    // The texel at the corner of the view, in double precision: the shader adds only small offsets.
    const QPointF inPicture = view.toPicture(corner);
    const QPointF texel = tile.texel + (inPicture - tile.area.topLeft()) * tile.texelsPerPx;
    const double step = tile.texelsPerPx / view.scale;
    const SourceUniforms& source = sources_[index];
    program_->setUniformValue(source.texel, QVector2D(texel));
    program_->setUniformValue(source.size,
                              QVector2D(static_cast<float>(tile.size.width()), static_cast<float>(tile.size.height())));
    program_->setUniformValue(source.step, static_cast<float>(step));
    const bool blend = step < 1.0 && (view.smooth || tile.isStandIn);
    program_->setUniformValue(source.samples, blend ? kBlend : samplesFor(step, view.samplesLimit));
    program_->setUniformValue(source.masked, tile.coverage != 0 ? 1 : 0);
    bind(GL_TEXTURE0 + kLevelUnits[index], tile.levels);
    bind(GL_TEXTURE0 + kCoverUnits[index], tile.coverage);
}

void ImagePainter::draw(const TextureTile& before, const TextureTile& after, const View& view) {
    const QRectF area = before.area & after.area;
    const QPointF first = view.origin + area.topLeft() * view.scale;
    const QPointF last = view.origin + area.bottomRight() * view.scale;
    const double left = std::max(first.x(), 0.0);
    const double top = std::max(first.y(), 0.0);
    const double right = std::min<double>(last.x(), view.viewport.width());
    const double bottom = std::min<double>(last.y(), view.viewport.height());
    if (left >= right || top >= bottom) {
        return;
    }
    setSource(0, before, {left, top}, view);
    setSource(1, after, {left, top}, view);
    program_->setUniformValue(rect_, QVector4D(static_cast<float>(left), static_cast<float>(top),
                                               static_cast<float>(right), static_cast<float>(bottom)));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void ImagePainter::render(const std::vector<TextureTile>& before, const std::vector<TextureTile>& after,
                          const View& view) {
    program_->bind();
    program_->setUniformValue("uBefore", kLevelUnits[0]);
    program_->setUniformValue("uAfter", kLevelUnits[1]);
    program_->setUniformValue("uCoverBefore", kCoverUnits[0]);
    program_->setUniformValue("uCoverAfter", kCoverUnits[1]);
    setToneUniforms(*program_, view.tone, kMapUnit);
    program_->setUniformValue(
        "uViewport", QVector2D(static_cast<float>(view.viewport.width()), static_cast<float>(view.viewport.height())));
    program_->setUniformValue("uSplit", static_cast<float>(view.split));
    bind(GL_TEXTURE0 + kMapUnit, view.colourMap);

    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    for (std::size_t i = 0; i < before.size(); ++i) {
        // Pictures with equal tiles, the usual case, need no search.
        if (i < after.size() && after[i].area == before[i].area) {
            draw(before[i], after[i], view);
            continue;
        }
        for (const TextureTile& tile : after) {
            if (tile.area.intersects(before[i].area)) {
                draw(before[i], tile, view);
            }
        }
    }
    for (const GLenum unit : {4U, 3U, 2U, 1U, 0U}) {
        bind(GL_TEXTURE0 + unit, 0);
    }
    program_->release();
}

void ImagePainter::destroy() {
    vertices_.destroy();
    program_.reset();
}

} // namespace pollard::app
