#pragma once

#include "overlays/overlay.hpp"

#include "vm/contour/contour_run.hpp"

#include <QImage>
#include <QObject>
#include <QString>
#include <QThreadPool>

#include <cstddef>
#include <memory>

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

class Canvas;
class OverlayLayer;

/// Writes a numbered PNG of the view with the contour for every recorded state of a run: "contour_0042.png". The
/// image is drawn once; a worker thread draws the contours over it and writes the files.
class ContourFrames : public QObject {
    Q_OBJECT

public:
    /// All must outlive this.
    ContourFrames(Canvas& canvas, OverlayLayer& overlays, const vm::ContourViewModel& contours,
                  QObject* parent = nullptr);
    /// Stops; complete frames are kept.
    ~ContourFrames() override;

    /// Starts with the current run, into an existing folder. Ends with finished().
    void start(const QString& folder);
    /// Ends with finished(); complete frames are kept.
    void cancel() { cancelled_ = true; }
    [[nodiscard]] static QString nameOf(int number, int count);

signals:
    void progressed(int frames, int all);
    /// @param error one line; empty on success or after cancelling
    void finished(int frames, const QString& error);

private:
    void next();

    Canvas& canvas_;
    OverlayLayer& overlays_;
    const vm::ContourViewModel& contours_;
    vm::ContourRecord record_;
    std::size_t atHand_ = 0;
    QString folder_;
    QImage ground_;
    OverlayScene scene_;
    bool tinted_ = false;
    int number_ = 0;
    bool cancelled_ = false;
    QThreadPool pool_; ///< one thread
};

} // namespace pollard::app
