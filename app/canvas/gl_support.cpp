#include "canvas/gl_support.hpp"

#include <QCoreApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>

#include <memory>

namespace pollard::app {
namespace {

QString openGlText(const char* source) { return QCoreApplication::translate("OpenGl", source); }

/// A context like the canvas's, current during its lifetime.
class ProbeContext {
public:
    ProbeContext() {
        context_.setFormat(surfaceFormat());
        if (!context_.create()) {
            return;
        }
        surface_.setFormat(context_.format());
        surface_.create();
        current_ = surface_.isValid() && context_.makeCurrent(&surface_);
    }
    ~ProbeContext() {
        if (current_) {
            context_.doneCurrent();
        }
    }
    ProbeContext(const ProbeContext&) = delete;
    ProbeContext& operator=(const ProbeContext&) = delete;

    [[nodiscard]] bool isCurrent() const { return current_; }
    [[nodiscard]] QSurfaceFormat format() const { return context_.format(); }
    [[nodiscard]] QString renderer() const {
        return QString::fromLatin1(reinterpret_cast<const char*>(context_.functions()->glGetString(GL_RENDERER)));
    }

private:
    QOpenGLContext context_;
    QOffscreenSurface surface_;
    bool current_ = false;
};

} // namespace

QString openGlProblem() {
    const ProbeContext probe;
    if (!probe.isCurrent()) {
        return openGlText(
            "The graphics driver or the remote display offers no OpenGL. Pollard draws pictures with OpenGL 3.3; "
            "Mesa's software renderer is enough.");
    }
    if (probe.format().version() < qMakePair(3, 3)) {
        return openGlText("OpenGL 3.3 is needed, the graphics driver (%1) offers %2.%3.")
            .arg(probe.renderer())
            .arg(probe.format().majorVersion())
            .arg(probe.format().minorVersion());
    }
    return {};
}

QString openGlDescription() {
    const ProbeContext probe;
    return probe.isCurrent() ? QStringLiteral("%1, OpenGL %2.%3")
                                   .arg(probe.renderer())
                                   .arg(probe.format().majorVersion())
                                   .arg(probe.format().minorVersion())
                             : QString();
}

QSurfaceFormat surfaceFormat() {
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(0);
    format.setStencilBufferSize(0);
    return format;
}

bool drawsInSoftware(const QString& renderer) {
    return renderer.contains(QLatin1String("llvmpipe")) || renderer.contains(QLatin1String("softpipe")) ||
           renderer.contains(QLatin1String("SwiftShader")) || renderer.contains(QLatin1String("GDI Generic"));
}

} // namespace pollard::app
