#include "export/view_exporter.hpp"

#include "canvas/canvas.hpp"
#include "export/view_image.hpp"
#include "overlays/overlay_layer.hpp"

#include "io/write/image_writer.hpp"

#include <QFileInfo>
#include <QImage>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

namespace pollard::app {
namespace {

constexpr int kBandPixels = 1 << 20; ///< per band; events are processed between bands

/// Runs a step and returns the message of its exception, if any.
QString guarded(const std::function<void()>& step) {
    try {
        step();
    } catch (const std::bad_alloc&) {
        return ViewExporter::tr("There is not enough memory.");
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

ViewExporter::ViewExporter(Canvas& canvas, OverlayLayer* overlays, QObject* parent)
    : QObject(parent), canvas_(canvas), overlays_(overlays) {
    pool_.setMaxThreadCount(1);
}

ViewExporter::~ViewExporter() { pool_.waitForDone(); }

void ViewExporter::start(const QString& path, const vm::ExportPlan& plan, std::optional<PixelSize> pixelSize) {
    plan_ = plan;
    top_ = 0;
    cancelled_ = false;
    if (pixelSize) {
        pixelSize->x /= plan.scale;
        pixelSize->y /= plan.scale;
    }
    const QString error = guarded([&] {
        const std::filesystem::path file = QFileInfo(path).filesystemAbsoluteFilePath();
        writer_ = makeRgbWriter(file, rgbFormatOf(file), static_cast<std::uint32_t>(plan_.size.width()),
                                static_cast<std::uint32_t>(plan_.size.height()), pixelSize);
    });
    QTimer::singleShot(0, this, [this, error] {
        if (error.isEmpty()) {
            nextBand();
        } else {
            end(error);
        }
    });
}

void ViewExporter::cancel() { cancelled_ = true; }

void ViewExporter::nextBand() {
    if (cancelled_) {
        end({});
        return;
    }
    const int height = plan_.size.height();
    const int rows = std::min(std::max(kBandPixels / plan_.size.width(), 1), height - top_);
    QImage band;
    const QString error = guarded([&] { band = renderRows(canvas_, overlays_, plan_, top_, rows); });
    if (!error.isEmpty()) {
        end(error);
        return;
    }
    const bool last = top_ + rows == height;
    pool_.start([self = this, writer = writer_, band = std::move(band), rows, last] {
        const QString problem = guarded([&] {
            writeRows(*writer, band);
            if (last) {
                writer->finish();
            }
        });
        // `self` is alive: its destructor waits for this thread.
        QMetaObject::invokeMethod(
            self, [self, rows, problem] { self->onWritten(rows, problem); }, Qt::QueuedConnection);
    });
}

void ViewExporter::onWritten(int rows, const QString& error) {
    top_ += rows;
    if (!error.isEmpty()) {
        end(error);
        return;
    }
    emit progressed(static_cast<double>(top_) / plan_.size.height());
    if (top_ == plan_.size.height()) {
        end({});
    } else {
        nextBand();
    }
}

void ViewExporter::end(const QString& error) {
    writer_.reset(); // without finish() it deletes the temporary file
    emit finished(error);
}

} // namespace pollard::app
