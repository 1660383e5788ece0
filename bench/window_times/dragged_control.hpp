#pragma once

#include <QString>

#include <memory>

namespace pollard::app {

class MainWindow;

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

} // namespace pollard::app
