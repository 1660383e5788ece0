#pragma once

#include "window_times/measurement.hpp"

#include <QJsonObject>
#include <array>
#include <optional>
#include <vector>

namespace pollard::app {

class RenderingView;

/// Zooms and pans through the image by a fixed script as fast as the window follows, and measures every frame: the time
/// of painting on the window's thread, its share for copying tiles to the graphics card, and the time from the movement
/// to the swap of the window. The script covers all zooms from the whole image to 2 screen px per px and pans at each
/// zoom. The report is a line of JSON.
class ViewMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    ViewMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : FrameMeasurement(models, window, frames, QStringLiteral("the view"), parent) {}

protected:
    void step() override;
    void takeFrame() override;
    [[nodiscard]] QString report() const override;

private:
    struct Frame {
        double paint = 0;  ///< ms on the window's thread
        double upload = 0; ///< ms of `paint`
        double bytes = 0;  ///< copied to the graphics card
        double swap = 0;   ///< ms from the movement to the swap
    };
    [[nodiscard]] QJsonObject summary(double Frame::*member) const;

    double bytesBefore_ = 0;
    double uploadBefore_ = 0;
    int late_ = 0; ///< frames drawn with missing tiles
    std::vector<Frame> frames_;
};

/// Turns a volume in its 3D view, with each rendering, and measures the time that drawing takes, the time from each
/// turn until its frame was swapped, and of a frame in full quality at the end. The report is a line of numbers.
class RotationMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this; opens its 3D view
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
    void nextStep();
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

/// Goes to and fro along the slices of a volume, waits after every step until the slice is on the screen, and measures
/// the time since the request. The report is a line of numbers.
class SliceMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param steps to measure, at least 1
    SliceMeasurement(Models& models, MainWindow& window, int steps, QObject* parent = nullptr);

private:
    void begin() override { nextStep(); }
    void end() override { models().presentation.setExact(false); }
    void nextStep();
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
