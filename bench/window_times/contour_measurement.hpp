#pragma once

#include "window_times/frame_measurement.hpp"

#include <vector>

namespace pollard::app {

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

} // namespace pollard::app
