#include "canvas/gl_surface.hpp"

#include "canvas/surface_window.hpp"
#include "gl/shader.hpp"
#include "theme/theme.hpp"

#include <QBackingStore>
#include <QChildEvent>
#include <QCoreApplication>
#include <QMoveEvent>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFunctions>
#include <QPaintEngine>
#include <QPainter>
#include <QVector2D>
#include <QVector4D>

#include <exception>
#include <memory>
#include <utility>

namespace pollard::app {

void LayerPainter::setup() {
    initializeOpenGLFunctions();
    program_ = makeProgram(QStringLiteral("layer"), {}, QStringLiteral("image"));
    vertices_.create();
}

void LayerPainter::load(const QImage& image, const QRegion& changed) {
    if (!program_ || image.isNull()) {
        return;
    }
    if (texture_ == 0) {
        glGenTextures(1, &texture_);
    }
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(image.bytesPerLine() / 4));
    if (size_ != image.size()) {
        size_ = image.size();
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size_.width(), size_.height(), 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                     image.constBits());
    } else {
        for (const QRect& part : changed) {
            copy(image, part);
        }
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void LayerPainter::copy(const QImage& image, const QRect& part) {
    const auto* first = image.constScanLine(part.top()) + std::ptrdiff_t{4} * part.left();
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

namespace {

/// Whether the current paint event of a widget goes to the screen. QWidget::grab() also sends paint events.
bool paintsOnScreen(QWidget& widget) {
    QBackingStore* store = widget.backingStore();
    const QPainter painter(&widget);
    return store != nullptr && painter.isActive() && painter.paintEngine()->paintDevice() == store->paintDevice();
}

} // namespace

GlSurface::GlSurface(const QSurfaceFormat& format, QWidget* parent)
    : QWidget(parent), format_(format), surface_(new SurfaceWindow([this] { showFrame(false); })), children_(*this) {
    setAttribute(Qt::WA_OpaquePaintEvent); // otherwise the window below is painted with every child
    surface_->setFormat(format_);
    container_ = createWindowContainer(surface_, this);
    container_->setAttribute(Qt::WA_TransparentForMouseEvents);
    container_->setFocusPolicy(Qt::NoFocus);
    container_->lower();
    new FocusRing(*this);
}

GlSurface::~GlSurface() {
    if (context_) {
        makeCurrent();
        frame_.reset();
        layerPainter_.destroy();
        doneCurrent();
    }
}

bool GlSurface::makeCurrent() {
    if (!context_) {
        return false;
    }
    const bool isNative = surface_ && surface_->handle() != nullptr;
    return context_->makeCurrent(isNative ? static_cast<QSurface*>(surface_.data()) : offscreen_.get());
}

void GlSurface::doneCurrent() {
    if (context_) {
        context_->doneCurrent();
    }
}

bool GlSurface::start() {
    if (std::exchange(started_, true)) {
        return context_ != nullptr;
    }
    auto context = std::make_unique<QOpenGLContext>();
    context->setFormat(format_);
    context->setShareContext(QOpenGLContext::globalShareContext());
    auto offscreen = std::make_unique<QOffscreenSurface>();
    if (context->create()) {
        offscreen->setFormat(context->format());
        offscreen->create();
    }
    if (!context->isValid() || !context->makeCurrent(offscreen.get())) {
        failGl(tr("The graphics driver refuses an OpenGL context."));
        return false;
    }
    context_ = std::move(context);
    offscreen_ = std::move(offscreen);
    try {
        layerPainter_.setup();
    } catch (const std::exception& error) {
        layerPainter_.destroy();
        context_.reset();
        failGl(QString::fromUtf8(error.what()));
        return false;
    }
    initializeGL();
    return true;
}

bool GlSurface::drawFrame() {
    const QSize size = frameSize();
    if (frame_ && frame_->size() != size) {
        frameResized();
    }
    if (!start()) {
        return false;
    }
    if (!makeCurrent()) { // context lost
        failGl(tr("The graphics driver refuses an OpenGL context."));
        return false;
    }
    if (!frame_ || frame_->size() != size) {
        frame_.reset(); // frees memory before the next one is allocated
        frame_ = std::make_unique<QOpenGLFramebufferObject>(size);
    }
    if (!frame_->isValid() || !frame_->bind()) {
        frame_.reset();
        failGl(tr("The graphics driver refuses a framebuffer of %1 x %2 px.").arg(size.width()).arg(size.height()));
        return false;
    }
    context_->functions()->glViewport(0, 0, size.width(), size.height());
    paintGL();
    return true;
}

void GlSurface::showFrame(bool draw) {
    if (!isVisible() || size().isEmpty()) {
        return;
    }
    const bool isThere = frame_ && frame_->size() == frameSize();
    if ((isThere && !draw) || drawFrame()) {
        present();
    }
}

void GlSurface::present() {
    if (!surface_ || !surface_->isExposed() || !makeCurrent()) {
        return; // shown when exposed
    }
    // On Wayland the ratio of the native window may differ from the ratio of the window around it.
    const double ratio = surface_->devicePixelRatio();
    const QSize drawn = frame_->size();
    const QSize size = ratio == devicePixelRatioF() ? drawn : this->size() * ratio;
    const int height = qRound(surface_->height() * ratio);
    auto* gl = context_->extraFunctions();
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, frame_->handle());
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, context_->defaultFramebufferObject());
    gl->glBlitFramebuffer(0, 0, drawn.width(), drawn.height(), 0, height - size.height(), size.width(), height,
                          GL_COLOR_BUFFER_BIT, size == drawn ? GL_NEAREST : GL_LINEAR);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, context_->defaultFramebufferObject());
    const QRegion changed = children_.repaint(size, ratio);
    layerPainter_.load(children_.image(), changed);
    gl->glViewport(0, height - size.height(), size.width(), size.height());
    layerPainter_.render(children_.covered(), height - size.height());
    context_->swapBuffers(surface_);
    emit frameSwapped();
}

QImage GlSurface::grabFramebuffer() {
    if (size().isEmpty() || !drawFrame()) {
        return {};
    }
    QImage image = frame_->toImage();
    image.setDevicePixelRatio(devicePixelRatioF());
    return image;
}

void GlSurface::paintEvent(QPaintEvent* event) {
    // On the screen the native window covers this after its first frame.
    const bool isOnScreen = paintsOnScreen(*this);
    QPainter painter(this);
    if (isOnScreen) {
        painter.fillRect(event->rect(), palette().window());
    } else {
        painter.drawImage(0, 0, grabFramebuffer());
    }
}

void GlSurface::resizeEvent(QResizeEvent* event) {
    container_->setGeometry(rect());
    QWidget::resizeEvent(event);
}

bool GlSurface::event(QEvent* event) {
    if (event->type() == QEvent::CursorChange && surface_) {
        surface_->setCursor(cursor()); // the cursor of the native window
    } else if (changesPixelRatio(*event)) {
        frameResized();
        showSoon();
    }
    return QWidget::event(event);
}

void GlSurface::childEvent(QChildEvent* event) {
    if (event->added() && event->child() != container_ && event->child()->isWidgetType()) {
        event->child()->installEventFilter(this);
    }
    QWidget::childEvent(event);
}

bool GlSurface::eventFilter(QObject* watched, QEvent* event) {
    auto* child = watched->parent() == this ? qobject_cast<QWidget*>(watched) : nullptr;
    if (child == nullptr || child == container_) {
        return QWidget::eventFilter(watched, event);
    }
    QRegion touched;
    switch (event->type()) {
    case QEvent::Paint:
        if (!paintsOnScreen(*child)) {
            return false;
        }
        touched = static_cast<QPaintEvent*>(event)->region().translated(child->pos());
        break;
    case QEvent::Move:
        touched = QRect(static_cast<QMoveEvent*>(event)->oldPos(), child->size());
        break;
    case QEvent::Resize:
        touched = QRect(child->pos(), static_cast<QResizeEvent*>(event)->oldSize());
        break;
    case QEvent::Hide:
        touched = (child->mask().isEmpty() ? QRegion(child->rect()) : child->mask()).translated(child->pos());
        break;
    default:
        return QWidget::eventFilter(watched, event);
    }
    children_.invalidate(touched);
    showSoon();
    return event->type() == QEvent::Paint; // the native window would cover it
}

void layOverSurfaces(QWidget& widget) {
    // Avoids native siblings and ancestors: every native widget needs a window of the window system.
    QCoreApplication::setAttribute(Qt::AA_DontCreateNativeWidgetSiblings);
    widget.setAttribute(Qt::WA_DontCreateNativeAncestors);
    widget.setAttribute(Qt::WA_NativeWindow);
}

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
            "The graphics driver or the remote display offers no OpenGL. Pollard draws images with OpenGL 3.3; "
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
