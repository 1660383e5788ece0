#pragma once

#include "snake/contour/contour.hpp"
#include "window_times/measurement.hpp"

#include <QTimer>
#include <vector>

namespace pollard::app {

class TimedEngine;

/// Shows the recorded states of the current run cyclically from the last one back, and measures the time on the
/// window's thread and until the contours are on the screen. The report is a line of numbers.
class ContourMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    /// @param window as for FrameMeasurement; without a run, frames of the image are measured
    ContourMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : FrameMeasurement(models, window, frames, QStringLiteral("a contour"), parent) {}

protected:
    void step() override;
    void takeFrame() override;
    [[nodiscard]] QString report() const override;

private:
    std::vector<double> eventTimes_; ///< ms on the window's thread
    std::vector<double> latencies_;  ///< ms
    std::vector<double> nodes_;      ///< of all contours of the state
};

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
