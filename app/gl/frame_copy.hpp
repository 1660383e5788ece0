#pragma once

#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QSize>

#include <memory>

namespace pollard::app {

/// What a framebuffer showed, for frames in which only what lies over it changes. Every call needs the same context to
/// be current.
class FrameCopy : protected QOpenGLExtraFunctions {
public:
    /// Copies @p framebuffer, which stays bound.
    void keep(GLuint framebuffer, QSize size);
    /// Writes the copy back into @p framebuffer, which stays bound. @returns whether there was one of this size
    bool restore(GLuint framebuffer, QSize size);
    void forget() noexcept { kept_ = false; }
    [[nodiscard]] bool isKept() const noexcept { return kept_; }
    void destroy();

private:
    void copy(GLuint from, GLuint to, QSize size);

    std::unique_ptr<QOpenGLFramebufferObject> copy_;
    bool kept_ = false;
};

} // namespace pollard::app
