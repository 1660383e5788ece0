#pragma once

#include "shell/models.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <vector>

namespace pollard::app {

class MainWindow;
class RangeSlider;

/// Drags the lower handle of the filter's slider to and fro by mouse events, waits for the picture of every step to be
/// on the screen, and measures how long that takes from the event on.
class DragMeasurement : public QObject {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames how many pictures to wait for, at least 1
    DragMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr);

signals:
    /// Once, at the end: @p report is one line of numbers, empty on failure; @p error is one line for a person, empty
    /// if all went well.
    void finished(const QString& report, const QString& error);

private:
    void startWhenReady();
    void moveOn();
    void takeFrame(double milliseconds);
    void finish(const QString& error);
    [[nodiscard]] double nextPosition();
    [[nodiscard]] QString report() const;

    Models& models_;
    MainWindow& window_;
    RangeSlider* slider_ = nullptr;
    int frames_;
    int steps_ = 0;
    int fruitless_ = 0; ///< steps in a row that left the threshold as it was
    bool running_ = false;
    bool ended_ = false;
    std::vector<double> latencies_;   ///< ms
    std::vector<double> filterTimes_; ///< ms
    QTimer patience_;
};

} // namespace pollard::app
