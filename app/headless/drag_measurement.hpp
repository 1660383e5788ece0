#pragma once

#include "headless/dragged_control.hpp"
#include "headless/measurement.hpp"

#include <memory>
#include <vector>

namespace pollard::app {

/// Drags a control of the filter to and fro by mouse events, waits for the picture of every step to be on the screen,
/// and measures how long that takes from the event on.
class DragMeasurement : public Measurement {
    Q_OBJECT

public:
    /// Drags the lower handle of the slider.
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames how many pictures to wait for, at least 1
    DragMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : DragMeasurement(models, window, frames, draggedSlider(window), parent) {}

protected:
    DragMeasurement(Models& models, MainWindow& window, int frames, std::unique_ptr<DraggedControl> control,
                    QObject* parent);

private:
    void begin() override;
    void end() override;
    void moveOn();
    void takeFrame(double milliseconds);
    [[nodiscard]] double nextShare();
    [[nodiscard]] QString report() const override;

    std::unique_ptr<DraggedControl> control_;
    int frames_;
    int steps_ = 0;
    int fruitless_ = 0;               ///< steps in a row that left the threshold as it was
    std::vector<double> latencies_;   ///< ms
    std::vector<double> filterTimes_; ///< ms
};

/// The same with a rectangle on the attribute plane.
class BrushMeasurement : public DragMeasurement {
    Q_OBJECT

public:
    BrushMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : DragMeasurement(models, window, frames, draggedRectangle(window), parent) {}
};

} // namespace pollard::app
