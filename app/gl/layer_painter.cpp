#include "gl/layer_painter.hpp"

#include "gl/shader.hpp"

#include <QVector2D>
#include <QVector4D>

namespace pollard::app {

void LayerPainter::setup() {
    initializeOpenGLFunctions();
    program_ = makeProgram(QStringLiteral("layer"), {}, QStringLiteral("image"));
    vertices_.create();
}

void LayerPainter::load(const QImage& picture, const QRegion& changed) {
    if (!program_ || picture.isNull()) {
        return;
    }
    if (texture_ == 0) {
        glGenTextures(1, &texture_);
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(picture.bytesPerLine() / 4));
    if (size_ != picture.size()) {
        size_ = picture.size();
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size_.width(), size_.height(), 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                     picture.constBits());
    } else {
        for (const QRect& part : changed) {
            copy(picture, part);
        }
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void LayerPainter::copy(const QImage& picture, const QRect& part) {
    const auto* first = picture.constScanLine(part.top()) + std::ptrdiff_t{4} * part.left();
    glTexSubImage2D(GL_TEXTURE_2D, 0, part.left(), part.top(), part.width(), part.height(), GL_BGRA,
                    GL_UNSIGNED_INT_8_8_8_8_REV, first);
}

void LayerPainter::render(const QRegion& covered, int bottom) {
    if (!program_ || texture_ == 0 || covered.isEmpty()) {
        return;
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    program_->bind();
    program_->setUniformValue("uLayer", 0);
    program_->setUniformValue("uTop", size_.height() + bottom - 1);
    program_->setUniformValue("uViewport",
                              QVector2D(static_cast<float>(size_.width()), static_cast<float>(size_.height())));
    const QOpenGLVertexArrayObject::Binder binder(&vertices_);
    for (const QRect& part : covered) {
        program_->setUniformValue("uRect", QVector4D(static_cast<float>(part.left()), static_cast<float>(part.top()),
                                                     static_cast<float>(part.left() + part.width()),
                                                     static_cast<float>(part.top() + part.height())));
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    program_->release();
    glDisable(GL_BLEND);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void LayerPainter::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
    size_ = {};
    vertices_.destroy();
    program_.reset();
}

} // namespace pollard::app
