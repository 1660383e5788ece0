#pragma once

#include "headless/measurement.hpp"

#include <algorithm>

namespace pollard::app {

/// Does something to the window again and again, and waits after each time until a frame was swapped.
class FrameMeasurement : public Measurement {
    Q_OBJECT

protected:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames how many to wait for, at least 1
    /// @param what is measured, for errors: "hovering"
    FrameMeasurement(Models& models, MainWindow& window, int frames, const QString& what, QObject* parent);

    /// Called once before the first step.
    virtual void prepare() {}
    /// What is measured; starts the clock.
    virtual void step() = 0;
    /// The frame after it was swapped.
    virtual void takeFrame() = 0;

    /// Steps a second; 0, as at first, for the next one as soon as the one before is on the screen. Of several that
    /// have become due in the meantime one is made, as of several movements of a pointer.
    void setRate(int hertz) { period_ = hertz > 0 ? 1e3 / hertz : 0; }
    /// From the time on at which the step was due.
    void startClock() { start_ = period_ > 0 ? std::min(due_, now()) : now(); }
    [[nodiscard]] double milliseconds() const { return now() - start_; }
    [[nodiscard]] int taken() const noexcept { return taken_; } ///< frames so far

private:
    void begin() override;
    void moveOn();
    void onSwap();
    void waitForNext();

    int wanted_;
    int taken_ = 0;
    bool moved_ = false; ///< a step waits for its frame
    int paints_ = 0;     ///< of the canvas before the step
    double period_ = 0;  ///< ms
    double due_ = 0;     ///< ms; when the present step should be made
    double start_ = 0;   ///< ms
};

} // namespace pollard::app
