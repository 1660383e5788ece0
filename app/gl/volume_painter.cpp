#include "gl/volume_painter.hpp"

#include "base/error.hpp"
#include "gl/shader.hpp"

#include <QVector2D>
#include <QVector3D>
#include <QVector4D>

#include <algorithm>
#include <array>
#include <utility>

namespace pollard::app {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{2} << 20; ///< bytes of a copy, unless a slice is larger

} // namespace

void VolumeTexture::setLevels(std::shared_ptr<const Image> volume) {
    if (!volume) {
        set(nullptr, {}, {0, 0, 0});
        return;
    }
    const Format format = volume->type() == PixelType::u8 ? Format{} : Format{GL_R16, GL_RED, GL_UNSIGNED_SHORT, 2};
    const Extent extent = volume->extent();
    const std::byte* const levels = volume->data();
    set({std::move(volume), levels}, format, extent);
}

void VolumeTexture::setNumbers(std::shared_ptr<const std::uint32_t> numbers, const Extent& extent) {
    const Extent size = numbers ? extent : Extent{0, 0, 0};
    set(std::move(numbers), {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, sizeof(std::uint32_t)}, size);
}

void VolumeTexture::set(std::shared_ptr<const void> data, const Format& format, const Extent& extent) {
    if (data != data_) {
        data_ = std::move(data);
        format_ = format;
        extent_ = extent;
        loaded_ = 0;
    }
}

void VolumeTexture::allocate() {
    if (texture_ != 0 && allocated_ == format_ && allocatedExtent_ == extent_) {
        return;
    }
    destroy();
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_3D, texture_);
    const GLint filter = format_.pixels == GL_RED ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, filter);
    for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R}) {
        glTexParameteri(GL_TEXTURE_3D, side, GL_CLAMP_TO_EDGE);
    }
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_3D, 0, format_.internal, static_cast<GLsizei>(extent_.width),
                 static_cast<GLsizei>(extent_.height), static_cast<GLsizei>(extent_.slices), 0, format_.pixels,
                 format_.type, nullptr);
    glBindTexture(GL_TEXTURE_3D, 0);
    if (glGetError() != GL_NO_ERROR) {
        destroy();
        throw Error(ErrorCode::outOfMemory,
                    "show the volume: the graphics driver refuses a texture of " + text(extent_));
    }
    allocated_ = format_;
    allocatedExtent_ = extent_;
    loaded_ = 0;
}

void VolumeTexture::load(UploadAllowance& allowance) {
    if (!ready_) {
        initializeOpenGLFunctions();
        ready_ = true;
    }
    if (data_ == nullptr) {
        destroy();
        return;
    }
    allocate();
    const std::uint64_t slice = extent_.slicePixels() * format_.bytes;
    const auto piece = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kPiece / slice, 1, extent_.slices));
    glBindTexture(GL_TEXTURE_3D, texture_);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    while (loaded_ < extent_.slices && allowance.take(piece * slice)) {
        const std::uint32_t count = std::min(piece, extent_.slices - loaded_);
        glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, static_cast<GLint>(loaded_), static_cast<GLsizei>(extent_.width),
                        static_cast<GLsizei>(extent_.height), static_cast<GLsizei>(count), format_.pixels, format_.type,
                        static_cast<const std::byte*>(data_.get()) + loaded_ * slice);
        loaded_ += count;
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_3D, 0);
}

void VolumeTexture::bind(int unit) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(GL_TEXTURE_3D, texture_);
}

void VolumeTexture::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
    loaded_ = 0;
}

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
