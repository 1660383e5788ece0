#pragma once

#include "headless/measurement.hpp"

#include "snake/contour/contour.hpp"

#include <QTimer>

#include <vector>

namespace pollard::app {

class TimedEngine;

/// Lets the contours of the run at hand evolve again and again, up to the end, on the engine that moves them, in turns:
/// once while the window shows the states one after another and draws 60 frames a second from before the start on, and
/// once while it draws none of its own accord, after one run to warm up. Tells how long the engine needed by its own
/// clock for both, how many frames a second were drawn, and how many of the states were on the screen.
class LiveContourMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param runs of each kind, at least 1
    /// @param engine the one that moves the contours, whole runs at a time
    LiveContourMeasurement(Models& models, MainWindow& window, int runs, TimedEngine& engine,
                           QObject* parent = nullptr);

private:
    enum class Stage { waiting, starting, running };

    [[nodiscard]] bool isReady() const override;
    void begin() override;
    void end() override;
    void lookAgain();
    void startRun();
    void run();
    void takeRun();
    void onSwap();
    [[nodiscard]] bool isDrawn() const noexcept { return isWarm_ && done_ % 2 == 0; }
    [[nodiscard]] QString report() const override;

    TimedEngine& engine_;
    int wanted_; ///< runs of both kinds
    int done_ = 0;
    bool isWarm_ = false; ///< the engine has moved the contours before
    Stage stage_ = Stage::waiting;
    std::vector<Contour> start_;
    int frames_ = 0;                 ///< of the present run
    double begun_ = 0;               ///< ms; the present run
    std::vector<bool> seen_;         ///< states of the present run that were on the screen
    std::vector<double> whileDrawn_; ///< ms of the engine
    std::vector<double> whileQuiet_; ///< the same
    std::vector<double> rates_;      ///< frames a second of every run that was drawn
    int missed_ = 0;                 ///< states that were not on the screen, of all runs
    int states_ = 0;                 ///< of all runs that were drawn
    QTimer poll_;
    QTimer frame_; ///< while frames are drawn
};

} // namespace pollard::app
