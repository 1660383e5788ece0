#include "gl/split_painter.hpp"

#include "gl/shader.hpp"

#include <QVector2D>

namespace pollard::app {
namespace {

constexpr double kHalfBand = 18.0; ///< logical px; the grip's radius is 14

} // namespace

void SplitPainter::setup() {
    initializeOpenGLFunctions();
    program_ = makeProgram(QStringLiteral("split"));
    vertices_.create();
}

void SplitPainter::render(double split, QSize viewport, double ratio, const QColor& accent) {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    program_->bind();
    program_->setUniformValue("uSplit", static_cast<float>(split));
    program_->setUniformValue("uHalfWidth", static_cast<float>(kHalfBand * ratio));
    program_->setUniformValue("uViewport",
                              QVector2D(static_cast<float>(viewport.width()), static_cast<float>(viewport.height())));
    program_->setUniformValue("uRatio", static_cast<float>(ratio));
    program_->setUniformValue("uAccent", accent);
    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    program_->release();
    glDisable(GL_BLEND);
}

void SplitPainter::destroy() {
    vertices_.destroy();
    program_.reset();
}

} // namespace pollard::app
