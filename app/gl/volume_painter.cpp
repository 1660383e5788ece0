#include "gl/volume_painter.hpp"

#include "gl/shader.hpp"

#include <QVector2D>
#include <QVector3D>
#include <QVector4D>

#include <algorithm>
#include <array>

namespace pollard::app {
namespace {

// Texture units
constexpr int kBeforeUnit = 0;
constexpr int kAfterUnit = 1;
constexpr int kNodesUnit = 2;
constexpr int kMapUnit = 3;
constexpr int kOpacitiesUnit = 4;

QVector3D vectorOf(const QColor& colour) {
    return {static_cast<float>(colour.redF()), static_cast<float>(colour.greenF()), static_cast<float>(colour.blueF())};
}

QVector3D vectorOf(const Extent& extent) {
    return {static_cast<float>(extent.width), static_cast<float>(extent.height), static_cast<float>(extent.slices)};
}

} // namespace

void VolumePainter::setup() {
    initializeOpenGLFunctions();
    vertices_.create();
    rays_ = makeProgram(QStringLiteral("volume"), {QStringLiteral("tone")}, QStringLiteral("image"));
    lines_ = makeProgram(QStringLiteral("lines"));
}

void VolumePainter::setRays(const View& view) {
    const vm::VolumeCamera& camera = view.camera;
    const QSizeF size(view.viewport);
    const QVector3D sides(static_cast<float>(view.blocks.x), static_cast<float>(view.blocks.y),
                          static_cast<float>(view.blocks.z));
    const QVector3D texels = vectorOf(blocksOf(camera.extent, view.blocks));
    const QVector3D whole = texels * sides; // voxels; the last blocks may reach beyond the volume
    const vm::VolumeCamera::Ray corner = camera.rayAt({0, 0}, size);
    const QVector3D right = camera.rayAt({size.width(), 0}, size).origin - corner.origin;
    const QVector3D down = camera.rayAt({0, size.height()}, size).origin - corner.origin;
    const auto step = static_cast<float>(camera.step(view.blocks) * view.stepLength);
    rays_->setUniformValue("uOrigin", corner.origin / whole);
    rays_->setUniformValue("uRight", right / whole / static_cast<float>(size.width()));
    rays_->setUniformValue("uDown", down / whole / static_cast<float>(size.height()));
    rays_->setUniformValue("uStep", corner.direction * step / whole);
    rays_->setUniformValue("uEnd", vectorOf(camera.extent) / whole);
    rays_->setUniformValue("uPerUnit", vectorOf(camera.extent) / (camera.boxSides() * sides));
    rays_->setUniformValue("uForward", camera.rotation.rotatedVector({0, 0, 1}));
}

void VolumePainter::render(VolumeTexture& before, VolumeTexture& after, VolumeTexture& nodes, const View& view) {
    rays_->bind();
    before.bind(kBeforeUnit);
    after.bind(kAfterUnit);
    nodes.bind(kNodesUnit);
    glActiveTexture(GL_TEXTURE0 + kMapUnit);
    glBindTexture(GL_TEXTURE_2D, view.colourMap);
    glActiveTexture(GL_TEXTURE0 + kOpacitiesUnit);
    glBindTexture(GL_TEXTURE_2D, view.opacities);
    rays_->setUniformValue("uBefore", kBeforeUnit);
    rays_->setUniformValue("uAfter", kAfterUnit);
    rays_->setUniformValue("uNodes", kNodesUnit);
    setToneUniforms(*rays_, view.tone, kMapUnit);
    setRays(view);
    rays_->setUniformValue("uHeight", static_cast<float>(view.viewport.height()));
    rays_->setUniformValue("uSplit", static_cast<float>(view.split));
    rays_->setUniformValue("uLargest", static_cast<float>(before.largestLevel()));
    rays_->setUniformValue("uRendering", static_cast<int>(view.rendering));
    rays_->setUniformValue("uOpacity", static_cast<float>(std::min(view.opacity, 0.999)));
    rays_->setUniformValue("uStepLength", static_cast<float>(view.stepLength));
    rays_->setUniformValue("uIsDark", view.isDarkOpaque ? 1 : 0);
    const vm::LevelWindow curve = view.curve.value_or(vm::LevelWindow());
    rays_->setUniformValue("uOpacities", kOpacitiesUnit);
    rays_->setUniformValue("uCurveLevels", static_cast<float>(curve.low),
                           static_cast<float>(1 / std::max(curve.high - curve.low, 1e-3)));
    rays_->setUniformValue("uCurveBefore", view.curve ? 1 : 0);
    rays_->setUniformValue("uCurveAfter", view.curve && view.curveFitsResult ? 1 : 0);
    rays_->setUniformValue("uShading", view.hasShading ? 1 : 0);
    glUniform2ui(rays_->uniformLocation("uLit"), view.firstLit, view.litNodes);
    rays_->setUniformValue("uLight", vectorOf(view.light));
    rays_->setUniformValue("uBack", vectorOf(view.back));
    rays_->setUniformValue(
        "uViewport", QVector2D(static_cast<float>(view.viewport.width()), static_cast<float>(view.viewport.height())));
    rays_->setUniformValue("uRect", QVector4D(0, 0, static_cast<float>(view.viewport.width()),
                                              static_cast<float>(view.viewport.height())));
    {
        const QOpenGLVertexArrayObject::Binder binder(&vertices_);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    rays_->release();
    glBindTexture(GL_TEXTURE_2D, 0); // of the opacities
    glActiveTexture(GL_TEXTURE0 + kMapUnit);
    glBindTexture(GL_TEXTURE_2D, 0);
    for (const int unit : {kNodesUnit, kAfterUnit, kBeforeUnit}) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_3D, 0);
    }
}

void VolumePainter::renderLines(std::span<const Line> lines, QSize viewport) {
    std::array<QVector2D, 2 * kMostLines> ends;
    std::array<QVector4D, kMostLines> colours;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        ends[2 * i] = QVector2D(lines[i].place.p1());
        ends[2 * i + 1] = QVector2D(lines[i].place.p2());
        colours[i] = QVector4D(vectorOf(lines[i].colour), static_cast<float>(lines[i].colour.alphaF()));
    }
    const auto count = static_cast<int>(lines.size());
    lines_->bind();
    lines_->setUniformValueArray("uEnds", ends.data(), 2 * count);
    lines_->setUniformValueArray("uColours", colours.data(), count);
    lines_->setUniformValue("uViewport",
                            QVector2D(static_cast<float>(viewport.width()), static_cast<float>(viewport.height())));
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    {
        const QOpenGLVertexArrayObject::Binder binder(&vertices_);
        glDrawArrays(GL_LINES, 0, 2 * count);
    }
    glDisable(GL_BLEND);
    lines_->release();
}

void VolumePainter::destroy() {
    vertices_.destroy();
    rays_.reset();
    lines_.reset();
}

} // namespace pollard::app
