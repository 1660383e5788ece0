#pragma once

#include "overlays/overlay.hpp"

#include "vm/contour/contour_record.hpp"

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

/// Writes the view with the contour as a numbered PNG for every recorded state of a run: "contour_0042.png". The
/// picture is drawn once; the contours are drawn over it and written on a thread of its own.
class ContourFrames : public QObject {
    Q_OBJECT

public:
    /// All of them must outlive this.
    ContourFrames(Canvas& canvas, OverlayLayer& overlays, const vm::ContourViewModel& contours,
                  QObject* parent = nullptr);
    /// Stops; frames that are complete stay.
    ~ContourFrames() override;

    /// Begins with the run at hand, into a folder that exists. Ends with finished().
    void start(const QString& folder);
    /// Ends with finished(); frames that are there stay.
    void cancel() { cancelled_ = true; }
    [[nodiscard]] static QString nameOf(int number, int count);

signals:
    void progressed(int frames, int all);
    /// @param error one line for a person; empty if all is there or the person cancelled
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
