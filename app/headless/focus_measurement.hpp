#pragma once

#include "headless/measurement.hpp"
#include "vm/tree/icicle_frame.hpp"

#include <QPointF>

#include <optional>
#include <random>
#include <vector>

namespace pollard::vm {
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

class IcicleView;

/// Goes into one component of the icicle after the other by double clicks, and back by the keyboard, and measures the
/// time from each event until the first frame that shows another part of the tree, and until its own picture at the end
/// of the movement. The report is a line of numbers.
class FocusMeasurement : public Measurement {
    Q_OBJECT

public:
    /// @param window is shown by its owner; like @p models it must outlive this; its icicle is opened
    /// @param steps to measure, at least 1; every other one leads back
    FocusMeasurement(Models& models, MainWindow& window, int steps, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// What the view shows when it is painted.
    struct Painted {
        IcicleRect part;
        bool isFinal = false; ///< nothing moves, and the picture is of this part
    };
    [[nodiscard]] bool isReady() const override;
    void begin() override { moveOn(); }
    void moveOn();
    void takePaint(const Painted& painted);
    [[nodiscard]] std::optional<QPointF> nextPlace();
    [[nodiscard]] QString report() const override;

    vm::IcicleViewModel* icicle_ = nullptr;
    IcicleView* view_ = nullptr;
    int wanted_;
    int taken_ = 0;
    int fruitless_ = 0;                ///< steps in a row
    std::optional<IcicleRect> before_; ///< of the step under way, until another part is on the screen
    bool moving_ = false;              ///< a step is under way
    double start_ = 0;                 ///< ms
    double last_ = 0;                  ///< ms; the last frame
    std::mt19937 random_;
    std::vector<double> eventTimes_; ///< ms on the window's thread
    std::vector<double> firsts_;     ///< ms
    std::vector<double> pictures_;   ///< ms
    std::vector<double> pauses_;     ///< ms from frame to frame
};

} // namespace pollard::app
