#include "gl/component_painter.hpp"

#include "gl/shader.hpp"

#include <QPointF>
#include <QVector2D>
#include <QVector4D>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard::app {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kRow = NodeBitsTexture::kWidth;

int rowsOf(const Words& words) { return static_cast<int>((words.size() + kRow - 1) / kRow); }

/// @param a,b have the same length
bool isRowEqual(const Words& a, const Words& b, int row) {
    const std::size_t first = static_cast<std::size_t>(row) * kRow;
    const std::size_t end = std::min(first + kRow, a.size());
    const auto at = [](const Words& words, std::size_t place) {
        return words.begin() + static_cast<std::ptrdiff_t>(place);
    };
    return std::equal(at(a, first), at(a, end), at(b, first));
}

} // namespace

bool NodeBitsTexture::load() {
    if (!wanted_ || wanted_->empty() || wanted_->size() * sizeof(std::uint32_t) > budget_) {
        destroy();
        return false;
    }
    if (wanted_ == uploaded_) {
        return true;
    }
    const int rows = rowsOf(*wanted_);
    if (!reserve(rows)) {
        return false;
    }
    const auto isThere = [&](int row) {
        return uploaded_ && uploaded_->size() == wanted_->size() && isRowEqual(*uploaded_, *wanted_, row);
    };
    glBindTexture(GL_TEXTURE_2D, texture_);
    for (int row = 0; row < rows; ++row) {
        const int first = row;
        while (row < rows && !isThere(row)) {
            ++row;
        }
        if (first < row) {
            copyRows(first, row);
        }
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    uploaded_ = wanted_;
    return true;
}

void NodeBitsTexture::copyRows(int first, int end) {
    const auto copy = [&](int from, int width, int height) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, from, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT,
                        wanted_->data() + static_cast<std::size_t>(from) * kRow);
        copiedBytes_ += static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * sizeof(std::uint32_t);
    };
    const int whole = std::min(end, static_cast<int>(wanted_->size() / kRow));
    if (first < whole) {
        copy(first, kWidth, whole - first);
    }
    if (whole < end) { // partly filled last row
        copy(whole, static_cast<int>(wanted_->size() % kRow), 1);
    }
}

bool NodeBitsTexture::reserve(int rows) {
    if (!ready_) {
        initializeOpenGLFunctions();
        ready_ = true;
    }
    if (texture_ != 0 && rows_ == rows) {
        return true;
    }
    destroy();
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, kWidth, rows, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    rows_ = rows;
    if (glGetError() != GL_NO_ERROR) {
        destroy();
    }
    return texture_ != 0;
}

void NodeBitsTexture::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
    uploaded_.reset();
}

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
    const QPointF last = part.toView({nodes.image.width() + 0.0, nodes.image.height() + 0.0});
    const auto [top, bottom] = std::minmax({part.origin.y(), last.y()});
    const QPointF low(std::max(part.origin.x(), 0.0), std::max(top, 0.0));
    const QPointF high(std::min<double>(last.x(), part.viewport.width()),
                       std::min<double>(bottom, part.viewport.height()));
    if (low.x() >= high.x() || low.y() >= high.y()) {
        program.release();
        return;
    }
    // In double precision; the shader adds only a small offset.
    const QPointF corner = part.toImage(low);
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
    glUniform2i(program.uniformLocation("uImage"), nodes.image.width(), nodes.image.height());
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
