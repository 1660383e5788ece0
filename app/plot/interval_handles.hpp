#pragma once

#include <utility>

class QKeyEvent;
class QPainter;
class QRectF;
class QWidget;

namespace pollard::app {

/// The two handles of an interval on a horizontal line: the one under the pointer, dragging, cursor, keys, painting.
class IntervalHandles {
public:
    enum class Part { none, low, high, both };

    struct Interval {
        double low = 0;
        double high = 1;
    };

    struct Line {
        double left = 0; ///< px
        double length = 1;
        Interval ends{};   ///< values at the ends of the line
        Interval value{};  ///< the interval
        Interval limits{}; ///< of both ends of the interval
        double step = 0;   ///< distance of possible values, and least width of the interval; 0: any
        bool movable = true;
        bool slidesWhenFull = false; ///< an interval that fills its limits can be grabbed between its handles

        /// Position of a value, px; of a value beyond the line, the nearer end.
        [[nodiscard]] double pixelOf(double of) const;
        [[nodiscard]] double valueAt(double pixel) const;
    };

    /// @param reach px around a handle within which a press grabs it
    explicit IntervalHandles(double reach) : reach_(reach) {}

    /// The nearer handle; both if the pointer is between the handles.
    [[nodiscard]] Part partAt(const Line& line, double pixel) const;
    [[nodiscard]] Part dragged() const noexcept { return dragged_; }
    void press(const Line& line, double pixel);
    /// The interval with the dragged part at the pointer; the handles do not cross.
    [[nodiscard]] Interval drag(const Line& line, double pixel) const;
    void release() noexcept { dragged_ = Part::none; }

    void showCursor(QWidget& widget, const Line& line, double pixel) const;
    /// Paints both handles over the height of a plot.
    static void paint(QPainter& painter, const Line& line, const QRectF& plot, const QWidget& widget);
    /// The part that a key moves, and the number of steps: Left and Right move the lower handle, with Shift the upper
    /// one.
    [[nodiscard]] static std::pair<Part, int> keyOf(const QKeyEvent& event);

private:
    double reach_;
    Part dragged_ = Part::none;
    double grip_ = 0;  ///< between the pointer and the lower value while both move
    double width_ = 0; ///< of the interval while both move
};

} // namespace pollard::app
