#include "canvas/component_highlight.hpp"

#include <utility>

namespace pollard::app {

void FrameCopy::keep(GLuint framebuffer, QSize size) {
    if (!copy_ || copy_->size() != size) {
        initializeOpenGLFunctions();
        copy_ = std::make_unique<QOpenGLFramebufferObject>(size);
        if (!copy_->isValid()) { // out of memory: every frame is drawn
            copy_.reset();
            glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
            return;
        }
    }
    copy(framebuffer, copy_->handle(), size);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    kept_ = true;
}

bool FrameCopy::restore(GLuint framebuffer, QSize size) {
    if (!kept_ || copy_->size() != size) {
        return false;
    }
    copy(copy_->handle(), framebuffer, size);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return true;
}

void FrameCopy::copy(GLuint from, GLuint to, QSize size) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, size.width(), size.height(), 0, 0, size.width(), size.height(), GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

void FrameCopy::destroy() {
    copy_.reset();
    kept_ = false;
}

namespace {

/// Bytes copied per paint, about a millisecond on a graphics card; the next paints copy the rest.
constexpr std::uint64_t kUploadsPerPaint = std::uint64_t{8} << 20;
constexpr std::int64_t kUploadMillisecondsPerPaint = 3;

} // namespace

bool ComponentHighlight::setComponent(std::optional<std::uint32_t> node) { return std::exchange(node_, node) != node; }

void ComponentHighlight::setSelection(NodeBitsTexture::Bits bits, const Colours& colours) {
    selection_.setBits(std::move(bits));
    selectionColours_ = colours;
}

void ComponentHighlight::load(const QRectF& seen) {
    if (!numbers_.isPossible()) {
        numbers_.destroy();
        selection_.destroy();
        image_.destroy();
        return;
    }
    UploadAllowance allowance(kUploadsPerPaint, kUploadMillisecondsPerPaint);
    numbers_.load(seen, allowance);
}

bool ComponentHighlight::renderSelection(const ImagePart& part) {
    if (!selection_.load()) {
        return !selection_.bits();
    }
    painter_.render(numbers_.layers(), selection_, static_cast<std::uint32_t>(numbers_.tree()->nodeCount()),
                    selectionColours_, part);
    return true;
}

void ComponentHighlight::render(const ImagePart& part) {
    const auto& tree = numbers_.tree();
    if (!node_ || !tree || *node_ >= tree->nodeCount()) {
        return;
    }
    const QRgb fill = qPremultiply(qRgba(qRed(kColour), qGreen(kColour), qBlue(kColour), kOpacity));
    painter_.render(numbers_.layers(), {*node_, tree->subtreeEnd[*node_]}, {fill, kColour}, part);
}

void ComponentHighlight::destroy() {
    numbers_.leaveContext();
    selection_.destroy();
    painter_.destroy();
    image_.destroy();
}

} // namespace pollard::app
