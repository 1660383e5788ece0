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

/// Texels per device px along rows and down columns.
QVector2D stepOf(const TextureTile& tile, const ImagePainter::View& view) {
    return {static_cast<float>(tile.texelsPerPx / view.scale), static_cast<float>(tile.texelsPerPx / view.scaleDown())};
}

/// Sampling mode of the shader: 1 is a single fetch, 0 weighs every texel under a device pixel, n is a grid of n x n.
/// @param step texels per device px
int samplesFor(double step, int limit) {
    if (step <= 1.0 + 1e-9) {
        return 1;
    }
    // A footprint of w texels touches up to ceil(w) + 1 texels per axis.
    return std::ceil(step - 1e-6) + 1 <= limit ? 0 : limit;
}

/// The shader's mode for a tile.
int samplesOf(const TextureTile& tile, const ImagePainter::View& view) {
    const double step = tile.texelsPerPx / std::min(view.scale, std::abs(view.scaleDown()));
    return step < 1.0 && (view.smooth || tile.isStandIn) ? kBlend : samplesFor(step, view.samplesLimit);
}

/// Lines for the preprocessor, see the shader. @param samples at most 2, which stands for all larger numbers
QByteArray definesOf(int samples, bool isMasked) {
    return "#define SAMPLING " + QByteArray::number(samples) + "\n#define MASKED " + (isMasked ? "1\n" : "0\n");
}

} // namespace

void ImagePainter::setup() {
    initializeOpenGLFunctions();
    vertices_.create();
    programs_[{}] = load({}); // reports a refused shader early
}

ImagePainter::Program ImagePainter::load(const QByteArray& defines) {
    Program loaded;
    loaded.program = makeProgram(QStringLiteral("image"), {QStringLiteral("tone")}, {}, defines);
    const std::array names{"uSourceBefore", "uSourceAfter"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto place = [&](const char* member) {
            return loaded.program->uniformLocation(QByteArray(names[i]) + '.' + member);
        };
        loaded.sources[i] = {place("texel"), place("size"), place("step"), place("samples"), place("isMasked")};
    }
    loaded.rect = loaded.program->uniformLocation("uRect");
    return loaded;
}

ImagePainter::Program& ImagePainter::use(const QByteArray& defines, const View& view, bool isAfter) {
    Program& used = programs_[defines];
    if (!used.program) {
        used = load(defines);
    }
    QOpenGLShaderProgram& program = *used.program;
    program.bind();
    if (!used.isSet || used.isAfter != isAfter) {
        program.setUniformValue("uBefore", kLevelUnits[0]);
        program.setUniformValue("uAfter", kLevelUnits[1]);
        program.setUniformValue("uCoverBefore", kCoverUnits[0]);
        program.setUniformValue("uCoverAfter", kCoverUnits[1]);
        program.setUniformValue("uViewport", QVector2D(static_cast<float>(view.viewport.width()),
                                                       static_cast<float>(view.viewport.height())));
        program.setUniformValue("uSplit", static_cast<float>(view.split));
        Tone tone = view.tone;
        if (isAfter) {
            tone.before = tone.after;
            tone.marksBefore = tone.marksAfter;
        }
        setToneUniforms(program, tone, kMapUnit);
        used.isSet = true;
        used.isAfter = isAfter;
    }
    return used;
}

void ImagePainter::bind(GLenum unit, GLuint texture) {
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, texture);
}

void ImagePainter::setSource(const Program& program, std::size_t index, const TextureTile& tile, const Part& part,
                             const View& view) {
    // The texel at the corner of the part, in double precision: the shader adds only small offsets.
    const QPointF inImage = view.toImage({part.left, part.top});
    const QPointF texel = tile.texel + (inImage - tile.area.topLeft()) * tile.texelsPerPx;
    const SourceUniforms& source = program.sources[index];
    program.program->setUniformValue(source.texel, QVector2D(texel));
    program.program->setUniformValue(
        source.size, QVector2D(static_cast<float>(tile.size.width()), static_cast<float>(tile.size.height())));
    program.program->setUniformValue(source.step, stepOf(tile, view));
    program.program->setUniformValue(source.samples, samplesOf(tile, view));
    program.program->setUniformValue(source.masked, tile.coverage != 0 ? 1 : 0);
    bind(GL_TEXTURE0 + kLevelUnits[index], tile.levels);
    bind(GL_TEXTURE0 + kCoverUnits[index], tile.coverage);
}

void ImagePainter::fill(const Program& program, const Part& part) {
    program.program->setUniformValue(program.rect,
                                     QVector4D(static_cast<float>(part.left), static_cast<float>(part.top),
                                               static_cast<float>(part.right), static_cast<float>(part.bottom)));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void ImagePainter::drawBoth(const TextureTile& before, const TextureTile& after, const Part& part, const View& view) {
    const int samples = std::min(samplesOf(before, view), 2);
    const bool isMasked = before.coverage != 0;
    const bool isAlike = samples == std::min(samplesOf(after, view), 2) && isMasked == (after.coverage != 0);
    const Program& program = use(isAlike ? definesOf(samples, isMasked) : QByteArray(), view, false);
    setSource(program, 0, before, part, view);
    setSource(program, 1, after, part, view);
    fill(program, part);
}

void ImagePainter::drawOne(const TextureTile& tile, const Part& part, const View& view, bool isAfter) {
    if (part.isEmpty()) {
        return;
    }
    const int samples = std::min(samplesOf(tile, view), 2);
    const Program& program = use("#define ONE_IMAGE\n" + definesOf(samples, tile.coverage != 0), view, isAfter);
    setSource(program, 0, tile, part, view);
    fill(program, part);
}

void ImagePainter::draw(const TextureTile& before, const TextureTile& after, const View& view) {
    const QRectF area = before.area & after.area;
    const QPointF first = view.toView(area.topLeft());
    const QPointF last = view.toView(area.bottomRight());
    const auto [top, bottom] = std::minmax({first.y(), last.y()});
    const Part part{std::max(first.x(), 0.0), std::max(top, 0.0), std::min<double>(last.x(), view.viewport.width()),
                    std::min<double>(bottom, view.viewport.height())};
    if (part.isEmpty()) {
        return;
    }
    if (view.tone.difference != Tone::Difference::none) {
        drawBoth(before, after, part, view);
        return;
    }
    // The middle of a device px decides on its side of the split.
    const double split = std::ceil(view.split - 0.5);
    drawOne(before, {part.left, part.top, std::min(part.right, split), part.bottom}, view, false);
    drawOne(after, {std::max(part.left, split), part.top, part.right, part.bottom}, view, true);
}

void ImagePainter::render(const std::vector<TextureTile>& before, const std::vector<TextureTile>& after,
                          const View& view) {
    for (auto& [defines, program] : programs_) {
        program.isSet = false;
    }
    bind(GL_TEXTURE0 + kMapUnit, view.colourMap);
    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    for (std::size_t i = 0; i < before.size(); ++i) {
        // Images with equal tiles, the usual case, need no search.
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
    glUseProgram(0);
}

void ImagePainter::destroy() {
    vertices_.destroy();
    programs_.clear();
}

} // namespace pollard::app
