#include "gl/component_painter.hpp"

#include "gl/shader.hpp"

#include <QPointF>
#include <QVector2D>
#include <QVector4D>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr int kNodeUnit = 0;
constexpr int kBitsUnit = 1;

QVector4D vectorOf(QRgb colour) {
    constexpr float kFull = 255;
    return QVector4D(static_cast<float>(qRed(colour)), static_cast<float>(qGreen(colour)),
                     static_cast<float>(qBlue(colour)), static_cast<float>(qAlpha(colour))) /
           kFull;
}

} // namespace

void ComponentPainter::setup() {
    initializeOpenGLFunctions();
    const auto lighting = [](const QString& part) {
        return makeProgram(QStringLiteral("light"), {part}, QStringLiteral("image"));
    };
    component_ = lighting(QStringLiteral("component"));
    selection_ = lighting(QStringLiteral("selection"));
    vertices_.create();
}

void ComponentPainter::render(const NodeTexture::Layers& nodes, NodeInterval component, const Colours& colours,
                              const ImagePart& part) {
    component_->bind();
    // Qt's setters convert unsigned numbers, points and sizes to other types.
    glUniform1ui(component_->uniformLocation("uFirst"), component.first);
    glUniform1ui(component_->uniformLocation("uCount"), component.end - component.first);
    draw(*component_, nodes, colours, part);
}

void ComponentPainter::render(const NodeTexture::Layers& nodes, const NodeBitsTexture& bits, std::uint32_t count,
                              const Colours& colours, const ImagePart& part) {
    selection_->bind();
    selection_->setUniformValue("uBits", kBitsUnit);
    selection_->setUniformValue("uWidth", NodeBitsTexture::kWidth);
    glUniform1ui(selection_->uniformLocation("uCount"), count);
    glActiveTexture(GL_TEXTURE0 + kBitsUnit);
    glBindTexture(GL_TEXTURE_2D, bits.texture());
    draw(*selection_, nodes, colours, part);
    glActiveTexture(GL_TEXTURE0 + kBitsUnit);
    glBindTexture(GL_TEXTURE_2D, 0);
    glActiveTexture(GL_TEXTURE0);
}

void ComponentPainter::draw(QOpenGLShaderProgram& program, const NodeTexture::Layers& nodes, const Colours& colours,
                            const ImagePart& part) {
    const QPointF last = part.toView({nodes.picture.width() + 0.0, nodes.picture.height() + 0.0});
    const auto [top, bottom] = std::minmax({part.origin.y(), last.y()});
    const QPointF low(std::max(part.origin.x(), 0.0), std::max(top, 0.0));
    const QPointF high(std::min<double>(last.x(), part.viewport.width()),
                       std::min<double>(bottom, part.viewport.height()));
    if (low.x() >= high.x() || low.y() >= high.y()) {
        program.release();
        return;
    }
    // In double precision; the shader adds only a small offset.
    const QPointF corner = part.toPicture(low);
    const QPointF whole(std::floor(corner.x()), std::floor(corner.y()));

    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    program.setUniformValue("uNodes", kNodeUnit);
    program.setUniformValue("uShift", nodes.shift);
    program.setUniformValue("uAcross", nodes.across);
    program.setUniformValue("uRect", QVector4D(static_cast<float>(low.x()), static_cast<float>(low.y()),
                                               static_cast<float>(high.x()), static_cast<float>(high.y())));
    program.setUniformValue(
        "uViewport", QVector2D(static_cast<float>(part.viewport.width()), static_cast<float>(part.viewport.height())));
    program.setUniformValue("uFraction", QVector2D(corner - whole));
    program.setUniformValue("uStep",
                            QVector2D(static_cast<float>(1 / part.scale), static_cast<float>(1 / part.scaleDown())));
    program.setUniformValue("uFill", vectorOf(colours.fill));
    program.setUniformValue("uOutline", vectorOf(colours.outline));
    glUniform2i(program.uniformLocation("uPicture"), nodes.picture.width(), nodes.picture.height());
    glUniform2i(program.uniformLocation("uCorner"), static_cast<GLint>(whole.x()), static_cast<GLint>(whole.y()));
    glActiveTexture(GL_TEXTURE0 + kNodeUnit);
    glBindTexture(GL_TEXTURE_2D_ARRAY, nodes.texture);
    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    program.release();
    glDisable(GL_BLEND);
}

void ComponentPainter::destroy() {
    vertices_.destroy();
    component_.reset();
    selection_.reset();
}

} // namespace pollard::app
