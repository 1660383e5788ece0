#pragma once

#include "window_times/measurement.hpp"

#include <QSlider>
#include <QString>
#include <memory>
#include <set>
#include <vector>

namespace pollard::app {

class MainWindow;
class SectionView;

/// A control that filters while it is dragged, moved by mouse events.
class DraggedControl {
public:
    DraggedControl() = default;
    DraggedControl(const DraggedControl&) = delete;
    DraggedControl& operator=(const DraggedControl&) = delete;
    virtual ~DraggedControl() = default;

    [[nodiscard]] virtual QString name() const = 0; ///< for reports
    virtual void press() = 0;
    /// Moves it to a fraction, 0..1, of its range.
    virtual void moveTo(double share) = 0;
    virtual void release() = 0;
};

/// The lower handle of the filter's slider. @param window must outlive the result
[[nodiscard]] std::unique_ptr<DraggedControl> draggedSlider(MainWindow& window);
/// A corner of a rectangle on the attribute plane, whose panel is opened. @param window must outlive the result
[[nodiscard]] std::unique_ptr<DraggedControl> draggedRectangle(MainWindow& window);

/// Drags a control of the filter to and fro by mouse events, waits after every step until its image is on the screen,
/// and measures the time since the event. If the sections of a volume are seen, it waits for them, too, and also
/// measures the time until all views are painted.
class DragMeasurement : public Measurement {
    Q_OBJECT

public:
    /// Drags the lower handle of the slider.
    /// @param window is shown by its owner; like @p models it must outlive this
    /// @param frames number of images, at least 1
    DragMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : DragMeasurement(models, window, frames, draggedSlider(window), parent) {}

protected:
    DragMeasurement(Models& models, MainWindow& window, int frames, std::unique_ptr<DraggedControl> control,
                    QObject* parent);

private:
    void begin() override;
    void end() override;
    void nextStep();
    void takeFrame(double milliseconds);
    void takeSection(const SectionView* section); ///< is on the screen
    void takeStep();                              ///< if all views show it
    [[nodiscard]] double nextShare();
    [[nodiscard]] QString report() const override;

    std::unique_ptr<DraggedControl> control_;
    int frames_;
    int steps_ = 0;
    int fruitless_ = 0;                     ///< successive steps without a change of the threshold
    std::vector<double> latencies_;         ///< ms
    std::vector<double> filterTimes_;       ///< ms
    std::set<const SectionView*> sections_; ///< seen ones
    std::set<const SectionView*> waiting_;  ///< sections that do not show the step yet
    bool isShown_ = false;                  ///< the image of the step
    double start_ = 0;                      ///< ms; of the step
    std::vector<double> viewTimes_;         ///< ms; empty without sections
};

/// The same for a rectangle on the attribute plane.
class BrushMeasurement : public DragMeasurement {
    Q_OBJECT

public:
    BrushMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr)
        : DragMeasurement(models, window, frames, draggedRectangle(window), parent) {}
};

/// Finds the regions of a hierarchy, moves the slider of the cut to and fro, and measures on the window's thread the
/// time of its event and of painting the overlays, and the time from it until the regions at the cut are on the screen,
/// in all views. The report is a line of numbers.
class CutMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    /// @param window as for FrameMeasurement; its panel of objects is opened
    CutMeasurement(Models& models, MainWindow& window, int frames, QObject* parent = nullptr);

protected:
    [[nodiscard]] bool isReady() const override;
    void prepare() override;
    void step() override;
    [[nodiscard]] bool isShown() const override;
    void takeFrame() override { latencies_.push_back(milliseconds()); }
    [[nodiscard]] QString report() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QSlider* cut_ = nullptr;
    int steps_ = 0;
    std::vector<double> eventTimes_; ///< ms on the window's thread
    std::vector<double> paintTimes_; ///< ms on the window's thread, of each view
    std::vector<double> latencies_;  ///< ms
};

} // namespace pollard::app
