#pragma once

#include "lab/lab_scene.hpp"
#include "vm/base/latest_wins_worker.hpp"

#include <QObject>
#include <QString>

namespace pollard::app {

/// Writes a state of the lab as an SVG drawing. @return what went wrong, for a person; empty if nothing did
[[nodiscard]] QString saveStateDrawing(const LabScene& scene, const QString& path);

/// Writes every state of a run on a thread of its own: as numbered PNG files ("step_0042.png") or as one animated WebP.
class LabFrames : public QObject {
    Q_OBJECT

public:
    /// What to write, and in which look; the place of its cursor does not matter.
    struct Order {
        std::shared_ptr<const vm::LabRecording> recording;
        QPalette palette;
        QFont font;
        int milliseconds = 500; ///< for which a state is shown
    };

    explicit LabFrames(QObject* parent = nullptr) : QObject(parent) {}

    /// Into a folder that exists. Ends with finished().
    void startPictures(const Order& order, const QString& folder);
    /// Ends with finished().
    void startAnimation(const Order& order, const QString& path);
    /// Ends with finished(); pictures that are complete stay, an animation does not appear.
    void cancel() { worker_.cancel(vm::Lane::save); }

    [[nodiscard]] static QString nameOf(int number, int count);

signals:
    void progressed(int frames, int all);
    /// @param error one line for a person; empty if all is there or the person cancelled
    void finished(int frames, const QString& error);

private:
    using Write = std::function<void(const QImage& frame, int number)>;
    void start(const Order& order, std::function<Write(QSize)> open, std::function<void()> close);

    vm::LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::app
