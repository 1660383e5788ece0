#pragma once

#include "vm/display/export_plan.hpp"

#include "io/image_file.hpp"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <optional>

namespace pollard {
class RgbWriter;
}

namespace pollard::app {

class Canvas;
class OverlayLayer;

/// Draws a planned picture band by band on the graphics card and writes each band on a thread of its own, so that the
/// window lives and memory stays bounded whatever the size. The file appears when all of it is there.
class ViewExporter : public QObject {
    Q_OBJECT

public:
    /// @param overlays null for the bare picture; both must outlive this
    ViewExporter(Canvas& canvas, OverlayLayer* overlays, QObject* parent = nullptr);
    /// Stops; the target stays as it was unless finished() was sent.
    ~ViewExporter() override;

    /// Begins; *.tif and *.tiff become TIFF, everything else PNG. Ends with finished().
    /// @param pixelSize of the open picture in the scene, if it is known; the file states it at its own scale
    void start(const QString& path, const vm::ExportPlan& plan, std::optional<PixelSize> pixelSize = {});
    /// Ends with finished(), and leaves the target as it was.
    void cancel();

signals:
    void progressed(double fraction);
    /// @param error one line for a person; empty if the file is there or the person cancelled
    void finished(const QString& error);

private:
    void nextBand();
    void onWritten(int rows, const QString& error);
    void end(const QString& error);

    Canvas& canvas_;
    OverlayLayer* overlays_;
    vm::ExportPlan plan_;
    std::shared_ptr<RgbWriter> writer_;
    QThreadPool pool_; ///< one thread
    int top_ = 0;
    bool cancelled_ = false;
};

} // namespace pollard::app
