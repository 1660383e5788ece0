#pragma once

#include "window_times/measurement.hpp"

#include <optional>
#include <vector>

namespace pollard::app {

/// Goes to and fro along the slices of a volume, waits after every step until the slice is on the screen, and measures
/// the time since the request. The report is a line of numbers.
class SliceMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param steps to measure, at least 1
    SliceMeasurement(Models& models, MainWindow& window, int steps, QObject* parent = nullptr);

private:
    void begin() override { moveOn(); }
    void end() override { models().presentation.setExact(false); }
    void moveOn();
    void onSlice();
    void onSwap();
    [[nodiscard]] QString report() const override;

    int wanted_;
    int direction_ = 1;
    std::optional<int> paints_;     ///< of the canvas, before the slice of the step is painted; empty until it came
    double start_ = 0;              ///< ms; of the step
    std::vector<double> latencies_; ///< ms
};

} // namespace pollard::app
