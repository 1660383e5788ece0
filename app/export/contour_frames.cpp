#include "export/contour_frames.hpp"

#include "canvas/canvas.hpp"
#include "export/view_image.hpp"
#include "overlays/contour_overlay.hpp"
#include "overlays/overlay_layer.hpp"
#include "vm/contour/contour_view_model.hpp"

#include "io/write/image_writer.hpp"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <exception>

namespace pollard::app {
namespace {

constexpr int kFewestDigits = 4;

/// @return error message of one line; empty on success
QString writeFrame(QImage frame, const OverlayScene& scene, const std::vector<Contour>& contours, std::size_t atHand,
                   bool tinted, const QString& path) {
    try {
        {
            QPainter painter(&frame);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.scale(scene.ratio, scene.ratio);
            paintContours(painter, scene, contours, atHand, tinted);
        }
        const QImage rows = frame.convertToFormat(QImage::Format_RGB888);
        const auto writer =
            makeRgbWriter(QFileInfo(path).filesystemAbsoluteFilePath(), RgbFormat::png,
                          static_cast<std::uint32_t>(rows.width()), static_cast<std::uint32_t>(rows.height()));
        writeRows(*writer, rows);
        writer->finish();
    } catch (const std::bad_alloc&) {
        return ContourFrames::tr("There is not enough memory.");
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

ContourFrames::ContourFrames(Canvas& canvas, OverlayLayer& overlays, const vm::ContourViewModel& contours,
                             QObject* parent)
    : QObject(parent), canvas_(canvas), overlays_(overlays), contours_(contours) {
    pool_.setMaxThreadCount(1);
}

ContourFrames::~ContourFrames() { pool_.waitForDone(); }

QString ContourFrames::nameOf(int number, int count) {
    const int digits = std::max(kFewestDigits, static_cast<int>(QString::number(count - 1).size()));
    return QStringLiteral("contour_%1.png").arg(number, digits, 10, QLatin1Char('0'));
}

void ContourFrames::start(const QString& folder) {
    folder_ = folder;
    number_ = 0;
    cancelled_ = false;
    record_ = contours_.runs().currentRun() != nullptr ? contours_.runs().currentRun()->record : vm::ContourRecord();
    tinted_ = contours_.isTinted();
    atHand_ = static_cast<std::size_t>(contours_.runs().contour());
    overlays_.contours().setHidden(true);
    ground_ = imageOfView(canvas_, overlays_);
    overlays_.contours().setHidden(false);
    scene_ = overlays_.scene();
    QMetaObject::invokeMethod(this, &ContourFrames::next, Qt::QueuedConnection);
}

void ContourFrames::next() {
    const int count = record_.count();
    if (cancelled_ || number_ == count) {
        emit finished(number_, {});
        return;
    }
    const QString path = QDir(folder_).filePath(nameOf(number_, count));
    pool_.start([self = this, frame = ground_, scene = scene_, contours = record_.allNodes(number_), atHand = atHand_,
                 tinted = tinted_, path] {
        const QString problem = writeFrame(frame, scene, contours, atHand, tinted, path);
        // `self` is alive: its destructor waits for this thread.
        QMetaObject::invokeMethod(
            self,
            [self, problem] {
                if (!problem.isEmpty()) {
                    emit self->finished(self->number_, problem);
                    return;
                }
                ++self->number_;
                emit self->progressed(self->number_, self->record_.count());
                self->next();
            },
            Qt::QueuedConnection);
    });
}

} // namespace pollard::app
