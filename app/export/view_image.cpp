#include "export/view_image.hpp"

#include "base/error.hpp"
#include "canvas/canvas.hpp"
#include "io/write/image_writer.hpp"
#include "overlays/overlay_layer.hpp"

#include <QImage>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPainter>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard::app {
namespace {

constexpr int kLargestPart = 2048; ///< side of a framebuffer, px
constexpr double kUsualWidth =
    1200; ///< px; overlays of an image of this width have the size that they have on the screen

/// Makes the canvas's context current during its lifetime.
class CurrentContext {
public:
    explicit CurrentContext(Canvas& canvas) : canvas_(canvas) { canvas_.makeCurrent(); }
    ~CurrentContext() { canvas_.doneCurrent(); }
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;

private:
    Canvas& canvas_;
};

QImage renderPart(Canvas& canvas, const QRect& part, const vm::ExportPlan& plan) {
    QOpenGLFramebufferObject buffer(part.size(), QOpenGLFramebufferObject::NoAttachment, GL_TEXTURE_2D, GL_RGBA8);
    if (!buffer.isValid() || !buffer.bind()) {
        throw Error(ErrorCode::deviceFailed, "draw the image: the graphics driver refuses a framebuffer of " +
                                                 std::to_string(part.width()) + " x " + std::to_string(part.height()) +
                                                 " px");
    }
    auto* gl = QOpenGLContext::currentContext()->functions();
    gl->glClearColor(0, 0, 0, 1);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    canvas.paintInto({part.size(), plan.origin - QPointF(part.topLeft()), plan.scale});
    buffer.release();
    return buffer.toImage();
}

} // namespace

QImage imageOfView(Canvas& canvas, OverlayLayer& overlays) {
    QImage image = canvas.grabFramebuffer().convertToFormat(QImage::Format_RGB32);
    const double ratio = image.devicePixelRatio();
    const OverlayScene scene = overlays.scene();
    QPainter painter(&image); // works in logical px because of the image's pixel ratio
    if (ratio != scene.ratio) {
        painter.scale(scene.ratio / ratio, scene.ratio / ratio);
    }
    overlays.paintOnto(painter, scene, true);
    painter.end();
    image.setDevicePixelRatio(1);
    return image;
}

QImage renderRows(Canvas& canvas, OverlayLayer* overlays, const vm::ExportPlan& plan, int top, int rows) {
    QImage band(plan.size.width(), rows, QImage::Format_RGB32);
    if (band.isNull()) {
        throw Error(ErrorCode::outOfMemory, "draw the image: there is no memory for " + std::to_string(rows) +
                                                " rows of " + std::to_string(plan.size.width()) + " px");
    }
    QPainter painter(&band);
    {
        const CurrentContext current(canvas);
        for (int y = 0; y < rows; y += kLargestPart) {
            for (int x = 0; x < band.width(); x += kLargestPart) {
                const QRect part(x, top + y, std::min(kLargestPart, band.width() - x),
                                 std::min(kLargestPart, rows - y));
                painter.drawImage(QPoint(x, y), renderPart(canvas, part, plan));
            }
        }
    }
    if (overlays != nullptr) {
        OverlayScene scene = overlays->scene();
        scene.ratio = std::max(1.0, plan.size.width() / kUsualWidth);
        scene.size = QSizeF(plan.size) / scene.ratio;
        scene.scale = plan.scale / scene.ratio;
        scene.origin = plan.origin / scene.ratio;
        scene.pointer.reset();
        painter.translate(0, -top);
        painter.scale(scene.ratio, scene.ratio);
        overlays->paintOnto(painter, scene, false);
    }
    painter.end();
    return band.convertToFormat(QImage::Format_RGB888);
}

std::vector<std::uint8_t> rgbOf(const QImage& rows) {
    // Rows of a QImage are padded to multiples of four bytes.
    const std::size_t rowBytes = static_cast<std::size_t>(rows.width()) * 3;
    std::vector<std::uint8_t> bytes(rowBytes * static_cast<std::size_t>(rows.height()));
    for (int y = 0; y < rows.height(); ++y) {
        std::copy_n(rows.constScanLine(y), rowBytes, bytes.data() + rowBytes * static_cast<std::size_t>(y));
    }
    return bytes;
}

void writeRows(RgbWriter& writer, const QImage& rows) { writer.write(rgbOf(rows)); }

} // namespace pollard::app
