#include "gl/frame_copy.hpp"

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

} // namespace pollard::app
