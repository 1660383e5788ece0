#pragma once

#include "lab/lab_scene.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include <QObject>
#include <QString>

namespace pollard::app {

/// Writes a state of the lab as an SVG drawing. @return error message; empty on success
[[nodiscard]] QString saveStateDrawing(const LabScene& scene, const QString& path);

/// Writes all states of a run on a worker thread: as numbered PNG files ("step_0042.png") or as an animated WebP.
class LabFrames : public QObject {
    Q_OBJECT

public:
    /// Recording and appearance; the position of its cursor is ignored.
    struct Order {
        std::shared_ptr<const vm::LabRecording> recording;
        QPalette palette;
        QFont font;
        int milliseconds = 500; ///< per state
    };

    explicit LabFrames(QObject* parent = nullptr) : QObject(parent) {}

    /// Writes into an existing folder. Ends with finished().
    void startImages(const Order& order, const QString& folder);
    /// Ends with finished().
    void startAnimation(const Order& order, const QString& path);
    /// Ends with finished(); complete images are kept, an animation is not written.
    void cancel() { worker_.cancel(vm::Lane::save); }

    [[nodiscard]] static QString nameOf(int number, int count);

signals:
    void progressed(int frames, int all);
    /// @param error one line; empty on success or after cancelling
    void finished(int frames, const QString& error);

private:
    using Write = std::function<void(const QImage& frame, int number)>;
    void start(const Order& order, std::function<Write(QSize)> open, std::function<void()> close);

    vm::LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

} // namespace pollard::app
