#pragma once

#include "vm/tree/icicle_view_model.hpp"
#include "window_times/measurement.hpp"

#include <QPointF>
#include <optional>
#include <random>
#include <vector>

namespace pollard::app {

class IcicleView;

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

/// Zooms to components of the icicle by double clicks, and back by the keyboard, and measures the time from each event
/// until the first frame with another part of the tree, and until the final image of the animation. The report is a
/// line of numbers.
class FocusMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this; its icicle is opened
    /// @param steps to measure, at least 1; every other one goes back
    FocusMeasurement(Models& models, MainWindow& window, int steps, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Content of the view when it is painted.
    struct Painted {
        IcicleRect part;
        bool isFinal = false; ///< no animation runs, and the image is of this part
    };
    [[nodiscard]] bool isReady() const override;
    void begin() override { nextStep(); }
    void nextStep();
    void takePaint(const Painted& painted);
    [[nodiscard]] std::optional<QPointF> nextPlace();
    [[nodiscard]] QString report() const override;

    vm::IcicleViewModel* icicle_ = nullptr;
    IcicleView* view_ = nullptr;
    int wanted_;
    int taken_ = 0;
    int fruitless_ = 0;                ///< successive
    std::optional<IcicleRect> before_; ///< of the current step, until another part is on the screen
    bool moving_ = false;              ///< during a step
    double start_ = 0;                 ///< ms
    double last_ = 0;                  ///< ms; time of the last frame
    std::mt19937 random_;
    std::vector<double> eventTimes_; ///< ms on the window's thread
    std::vector<double> firsts_;     ///< ms
    std::vector<double> images_;     ///< ms
    std::vector<double> pauses_;     ///< ms between frames
};

} // namespace pollard::app
