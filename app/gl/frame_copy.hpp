#pragma once

#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QSize>

#include <memory>

namespace pollard::app {

/// Copy of a framebuffer, for frames in which only the overlay changes. All calls require the same context to be
/// current.
class FrameCopy : protected QOpenGLExtraFunctions {
public:
    /// Copies @p framebuffer, which stays bound.
    void keep(GLuint framebuffer, QSize size);
    /// Copies back into @p framebuffer, which stays bound. @returns whether there was a copy of this size
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
