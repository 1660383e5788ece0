#pragma once

#include "shell/models.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <random>
#include <vector>

namespace pollard::app {

class MainWindow;

/// Points at one random place of the picture after the other, with the panels that are open, and measures what the
/// pointer's event takes on the window's thread, and the time from it until chain and component are on the screen.
class HoverMeasurement : public QObject {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this. Its chain panel is opened if no panel
    ///        that follows the pointer is.
    /// @param frames how many places, at least 1
    HoverMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr);

signals:
    /// Once, at the end: @p report is one line of numbers, empty on failure; @p error is one line for a person, empty
    /// if all went well.
    void finished(const QString& report, const QString& error);

private:
    void startWhenReady();
    void moveOn();
    void takeFrame();
    void finish(const QString& error);
    [[nodiscard]] QPointF nextPlace();
    [[nodiscard]] QString report() const;

    Models& models_;
    MainWindow& window_;
    int frames_;
    bool running_ = false;
    bool ended_ = false;
    bool moved_ = false; ///< a movement waits for its frame
    std::mt19937 random_;
    QElapsedTimer clock_;
    QTimer patience_;
    std::vector<double> eventTimes_; ///< ms on the window's thread
    std::vector<double> latencies_;  ///< ms
    std::vector<double> chains_;     ///< components
};

} // namespace pollard::app
