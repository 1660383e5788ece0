#pragma once

#include "shell/models.hpp"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>

#include <vector>

namespace pollard::app {

class MainWindow;

/// Zooms and pans through the picture by a fixed script, step by step as fast as the window follows, and measures every
/// frame: the time that painting takes on the window's thread, how much of it is copying tiles to the graphics card,
/// and the time from the movement to the swap of the window. Between both ends of the script every zoom from the
/// whole picture to 2 screen px per px occurs, with panning at each.
class ViewMeasurement : public QObject {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames how many to measure, at least 1
    ViewMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr);

signals:
    /// Once, at the end: @p report is one line of JSON, empty on failure; @p error is one line for a person, empty if
    /// all went well.
    void finished(const QString& report, const QString& error);

private:
    struct Frame {
        double paint = 0;  ///< ms on the window's thread
        double upload = 0; ///< ms of `paint`
        double bytes = 0;  ///< copied to the graphics card
        double swap = 0;   ///< ms from the movement to the swap
    };
    void startWhenReady();
    void moveOn();
    void takeFrame();
    void finish(const QString& error);
    [[nodiscard]] QJsonObject summary(double Frame::*member) const;
    [[nodiscard]] QString report() const;

    Models& models_;
    MainWindow& window_;
    int wanted_;
    bool running_ = false;
    bool ended_ = false;
    bool moved_ = false; ///< a movement waits for its frame
    double bytesBefore_ = 0;
    double uploadBefore_ = 0;
    int late_ = 0; ///< frames that were drawn with tiles missing
    QElapsedTimer clock_;
    QTimer patience_;
    std::vector<Frame> frames_;
};

} // namespace pollard::app
