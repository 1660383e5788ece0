#pragma once

#include "window_times/measurement.hpp"

#include "snake/contour/contour.hpp"

#include <QTimer>

#include <vector>

namespace pollard::app {

class TimedEngine;

/// Evolves the contours of the current run repeatedly to the end with the current engine, after a warm-up run,
/// alternately with and without drawing: while the window plays the states and draws 60 frames per second, starting
/// before the run, and while the window is not redrawn. Reports the engine's own times for both, the frames per second,
/// and the fraction of states that were on the screen.
class LiveContourMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param runs of each kind, at least 1
    /// @param engine of the contours, evolving whole runs at a time
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
    bool isWarm_ = false; ///< after the warm-up run
    Stage stage_ = Stage::waiting;
    std::vector<Contour> start_;
    int frames_ = 0;                 ///< of the current run
    double begun_ = 0;               ///< ms; start of the current run
    std::vector<bool> seen_;         ///< states of the current run that were on the screen
    std::vector<double> whileDrawn_; ///< ms of the engine
    std::vector<double> whileQuiet_; ///< the same
    std::vector<double> rates_;      ///< frames per second of every drawn run
    int missed_ = 0;                 ///< states that were not on the screen, total
    int states_ = 0;                 ///< total of the drawn runs
    QTimer poll_;
    QTimer frame_; ///< runs while frames are drawn
};

} // namespace pollard::app
