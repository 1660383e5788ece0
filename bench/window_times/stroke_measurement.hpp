#pragma once

#include "window_times/measurement.hpp"

#include <QPointF>
#include <QString>

#include <memory>
#include <vector>

namespace pollard::vm {
struct ObjectListing;
}

namespace pollard::app {

/// Finds the objects, draws strokes that edit them by hand, with the eraser on objects, else with the brush, and
/// measures the time from each event of the mouse to the frame that shows it: the stroke while it is drawn, the objects
/// with their measurements when it ends.
class StrokeMeasurement : public FrameMeasurement {
    Q_OBJECT

public:
    /// @param window as for FrameMeasurement; its panel of objects is opened
    /// @param strokes at least 1
    StrokeMeasurement(Models& models, MainWindow& window, int strokes, QObject* parent = nullptr);

protected:
    [[nodiscard]] bool isReady() const override;
    void prepare() override;
    void step() override;
    [[nodiscard]] bool isShown() const override;
    void takeFrame() override;
    [[nodiscard]] QString report() const override;

private:
    [[nodiscard]] bool isLast() const;
    /// Where a stroke is after some of its events, on the canvas.
    [[nodiscard]] QPointF placeOf(int stroke, int event) const;

    int steps_ = 0;
    std::shared_ptr<const vm::ObjectListing> before_; ///< the step
    std::vector<double> drawn_;                       ///< ms, from an event to the frame with the stroke
    std::vector<double> measured_;                    ///< ms, from the release to the listing of the edited objects
    std::vector<double> edited_;                      ///< ms, from the release to the frame with the edited objects
};

} // namespace pollard::app
