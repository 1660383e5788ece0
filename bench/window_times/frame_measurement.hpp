#pragma once

#include "window_times/measurement.hpp"

#include <algorithm>

namespace pollard::app {

/// Repeats a step in the window and waits each time until a frame was swapped.
class FrameMeasurement : public Measurement {
    Q_OBJECT

protected:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames number of frames, at least 1
    /// @param what is measured, for errors: "hovering"
    FrameMeasurement(Models& models, MainWindow& window, int frames, const QString& what, QObject* parent);

    /// Called once before the first step.
    virtual void prepare() {}
    /// The measured step; starts the clock.
    virtual void step() = 0;
    /// Called after the frame of the step was swapped.
    virtual void takeFrame() = 0;

    /// Sets the steps per second; 0, the default, for the next step as soon as the last one is on the screen. Overdue
    /// steps are merged into one, as movements of a pointer are.
    void setRate(int hertz) { period_ = hertz > 0 ? 1e3 / hertz : 0; }
    /// Starts at the due time of the step.
    void startClock() { start_ = period_ > 0 ? std::min(due_, now()) : now(); }
    [[nodiscard]] double milliseconds() const { return now() - start_; }
    [[nodiscard]] int taken() const noexcept { return taken_; } ///< so far

private:
    void begin() override;
    void moveOn();
    void onSwap();
    void waitForNext();

    int wanted_;
    int taken_ = 0;
    bool moved_ = false; ///< a step waits for its frame
    int paints_ = 0;     ///< of the canvas, before the step
    double period_ = 0;  ///< ms
    double due_ = 0;     ///< ms; due time of the current step
    double start_ = 0;   ///< ms
};

} // namespace pollard::app
