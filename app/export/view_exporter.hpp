#pragma once

#include "vm/image/view_transform.hpp"

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

/// Draws a planned image band by band with OpenGL and writes each band on a worker thread, so that the window stays
/// responsive and memory is bounded for any size. The file appears when it is complete.
class ViewExporter : public QObject {
    Q_OBJECT

public:
    /// @param overlays null for the image without overlays; both must outlive this
    ViewExporter(Canvas& canvas, OverlayLayer* overlays, QObject* parent = nullptr);
    /// Stops; the target is unchanged unless finished() was emitted.
    ~ViewExporter() override;

    /// Starts; *.tif and *.tiff become TIFF, *.jpg and *.jpeg JPEG, all others PNG. Ends with finished().
    /// @param pixelSize of the open image in the scene, if known; the file states the size at its own scale
    void start(const QString& path, const vm::ExportPlan& plan, std::optional<PixelSize> pixelSize = {});
    /// Ends with finished(); the target is unchanged.
    void cancel();

signals:
    void progressed(double fraction);
    /// @param error one line; empty on success or after cancelling
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
