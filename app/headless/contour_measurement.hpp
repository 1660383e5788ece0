#pragma once

#include "headless/frame_measurement.hpp"

#include <vector>

namespace pollard::app {

/// Shows the recorded states of the run at hand, from the last one back, round and round, and measures what that takes
/// on the window's thread, and the time until the contours are on the screen. The report is a line of numbers.
class ContourMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    /// @param window as for FrameMeasurement; a run is there, or frames are those of a picture without one
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
