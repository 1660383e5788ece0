#include "lab/lab_export.hpp"

#include "export/view_image.hpp"
#include "lab/lab_scene.hpp"
#include "vm/lab/lab_recording.hpp"

#include "base/error.hpp"
#include "formats/images/webp_animation.hpp"
#include "io/write/image_writer.hpp"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QScreen>
#include <QSvgGenerator>

#include <algorithm>
#include <atomic>

namespace pollard::app {
namespace {

constexpr int kFewestDigits = 4;

std::filesystem::path pathOf(const QString& path) { return QFileInfo(path).filesystemAbsoluteFilePath(); }

QImage drawn(const LabScene& scene, QSize size) {
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    paintState(painter, scene);
    painter.end();
    return image.convertToFormat(QImage::Format_RGB888);
}

} // namespace

QString saveStateDrawing(const LabScene& scene, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return QStringLiteral("%1: %2").arg(path, file.errorString());
    }
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    const QSize size = stateSize(scene);
    svg.setResolution(qRound(QGuiApplication::primaryScreen()->logicalDotsPerInch())); // resolution of font sizes
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    if (scene.recording != nullptr) {
        svg.setTitle(vm::teachText(scene.recording->player->title));
        svg.setDescription(vm::captionAt(*scene.recording, scene.cursor != nullptr ? scene.cursor->done() : 0));
    }
    QPainter painter(&svg);
    paintState(painter, scene);
    painter.end();
    return file.commit() ? QString() : QStringLiteral("%1: %2").arg(path, file.errorString());
}

QString LabFrames::nameOf(int number, int count) {
    const int digits = std::max(kFewestDigits, static_cast<int>(QString::number(count - 1).size()));
    return QStringLiteral("step_%1.png").arg(number, digits, 10, QLatin1Char('0'));
}

void LabFrames::start(const Order& order, std::function<Write(QSize)> open, std::function<void()> close) {
    const auto written = std::make_shared<std::atomic<int>>(0);
    const int all = static_cast<int>(order.recording->trace->steps.size()) + 1;
    worker_.post(
        vm::Lane::save,
        [this, order, all, written, open = std::move(open), close = std::move(close)](const std::stop_token& stop) {
            teach::TraceCursor cursor(order.recording->trace);
            LabScene scene{order.recording->trace->image, order.recording, &cursor, order.palette, order.font};
            const QSize size = stateSize(scene);
            const Write write = open(size);
            for (int number = 0; number < all; ++number) {
                if (stop.stop_requested()) {
                    throw Cancelled();
                }
                cursor.moveTo(static_cast<std::size_t>(number));
                write(drawn(scene, size), number);
                *written = number + 1;
                // `this` is alive: the worker's job ends before it is destroyed.
                QMetaObject::invokeMethod(
                    this, [this, number, all] { emit progressed(number + 1, all); }, Qt::QueuedConnection);
            }
            close();
        },
        [this, written](vm::LatestWinsWorker::Generation, const vm::JobOutcome& outcome) {
            emit finished(*written, outcome.kind == vm::JobOutcome::Kind::failed
                                        ? QString::fromStdString(outcome.message)
                                        : QString());
        });
}

void LabFrames::startImages(const Order& order, const QString& folder) {
    const int all = static_cast<int>(order.recording->trace->steps.size()) + 1;
    start(
        order,
        [folder, all](QSize) {
            return Write([folder, all](const QImage& frame, int number) {
                const auto writer = makeRgbWriter(pathOf(QDir(folder).filePath(nameOf(number, all))), RgbFormat::png,
                                                  static_cast<std::uint32_t>(frame.width()),
                                                  static_cast<std::uint32_t>(frame.height()));
                writeRows(*writer, frame);
                writer->finish();
            });
        },
        [] {});
}

void LabFrames::startAnimation(const Order& order, const QString& path) {
    const auto animation = std::make_shared<std::unique_ptr<WebpAnimation>>();
    start(
        order,
        [path, animation, milliseconds = order.milliseconds](QSize size) {
            *animation = std::make_unique<WebpAnimation>(pathOf(path), static_cast<std::uint32_t>(size.width()),
                                                         static_cast<std::uint32_t>(size.height()));
            return Write(
                [animation, milliseconds](const QImage& frame, int) { (*animation)->add(rgbOf(frame), milliseconds); });
        },
        [animation] { (*animation)->finish(); });
}

} // namespace pollard::app
