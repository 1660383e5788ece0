#pragma once

#include "window_times/measurement.hpp"

#include <array>
#include <vector>

namespace pollard::app {

class RenderingView;

/// Turns a volume in its 3D view, with each rendering, and measures the time that drawing takes, the time from each
/// turn until its frame was swapped, and of a frame in full quality at the end. The report is a line of numbers.
class RotationMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; its 3D view is opened beside it; like @p models it must outlive this
    /// @param frames to measure with each rendering, at least 1
    RotationMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr);

private:
    struct Times {
        std::vector<double> drawing; ///< ms
        std::vector<double> swap;    ///< ms
        double full = 0;             ///< ms; of drawing a frame in full quality
    };

    [[nodiscard]] bool isReady() const override;
    void begin() override;
    void moveOn();
    void onSwap();
    void changeRendering();
    [[nodiscard]] QString report() const override;

    int wanted_;
    RenderingView* view_ = nullptr;
    bool moved_ = false; ///< a turn waits for its frame
    double start_ = 0;   ///< ms; of the turn
    std::size_t rendering_ = 0;
    std::array<Times, 3> times_;
};

} // namespace pollard::app
