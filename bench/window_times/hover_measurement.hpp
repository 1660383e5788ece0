#pragma once

#include "window_times/frame_measurement.hpp"

#include <QPointF>

#include <random>
#include <vector>

namespace pollard::app {

/// Points at random positions of the image with the open panels, and measures the time of the pointer's event on the
/// window's thread, and the time from it until chain and component are on the screen. The report is a line of numbers.
class HoverMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    /// @param window as for FrameMeasurement; its chain panel is opened if no open panel follows the pointer
    /// @param rate of movements per second; 0 for the next one as soon as the last one is on the screen
    HoverMeasurement(Models& models, MainWindow& window, int frames, int rate = 0, QObject* parent = nullptr)
        : FrameMeasurement(models, window, frames, QStringLiteral("hovering"), parent) {
        setRate(rate);
    }

protected:
    void prepare() override;
    void step() override;
    void takeFrame() override;
    [[nodiscard]] QString report() const override;

private:
    [[nodiscard]] QPointF nextPlace();

    std::mt19937 random_;
    std::vector<double> eventTimes_; ///< ms on the window's thread
    std::vector<double> latencies_;  ///< ms
    std::vector<double> chains_;     ///< components
};

} // namespace pollard::app
