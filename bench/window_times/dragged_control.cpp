#include "window_times/dragged_control.hpp"

#include "docks/tree/attribute_plane_view.hpp"
#include "widgets/range_slider.hpp"
#include "window/main_window.hpp"
#include "window/panel_dock.hpp"

#include <QCoreApplication>
#include <QMouseEvent>

namespace pollard::app {
namespace {

void sendMouse(QWidget& widget, QEvent::Type type, QPointF place) {
    const bool move = type == QEvent::MouseMove;
    const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, place, widget.mapToGlobal(place), move ? Qt::NoButton : Qt::LeftButton, held,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

class Slider : public DraggedControl {
public:
    explicit Slider(RangeSlider& slider) : slider_(slider) {}

    [[nodiscard]] QString name() const override { return QStringLiteral("slider"); }
    void press() override { send(QEvent::MouseButtonPress, slider_.pixelOf(slider_.lower())); }
    void moveTo(double share) override { send(QEvent::MouseMove, slider_.pixelOf(kStart + (kEnd - kStart) * share)); }
    void release() override { send(QEvent::MouseButtonRelease, slider_.pixelOf(slider_.lower())); }

private:
    static constexpr double kStart = 0.08;
    static constexpr double kEnd = 0.8;

    void send(QEvent::Type type, double x) { sendMouse(slider_, type, {x, slider_.height() / 2.0}); }

    RangeSlider& slider_;
};

class Rectangle : public DraggedControl {
public:
    explicit Rectangle(AttributePlaneView& plane) : plane_(plane) {}

    [[nodiscard]] QString name() const override { return QStringLiteral("rectangle"); }
    void press() override { send(QEvent::MouseButtonPress, {kStart, kEnd}); }
    void moveTo(double share) override {
        const double way = kSmallest + (1 - kSmallest) * share;
        last_ = {kStart + (kEnd - kStart) * way, kEnd - (kEnd - kStart) * way};
        send(QEvent::MouseMove, last_);
    }
    void release() override { send(QEvent::MouseButtonRelease, last_); }

private:
    static constexpr double kStart = 0.05; ///< fraction of the plane, from the left and from below
    static constexpr double kEnd = 0.95;
    static constexpr double kSmallest = 0.1; ///< fraction of the range

    void send(QEvent::Type type, QPointF place) {
        // Graphics views get mouse events at their viewport.
        sendMouse(*plane_.viewport(), type, plane_.pixelOf(place));
    }

    AttributePlaneView& plane_;
    QPointF last_;
};

} // namespace

std::unique_ptr<DraggedControl> draggedSlider(MainWindow& window) {
    return std::make_unique<Slider>(*window.findChild<RangeSlider*>(QStringLiteral("range")));
}

std::unique_ptr<DraggedControl> draggedRectangle(MainWindow& window) {
    showPanel(window, QStringLiteral("plane"));
    return std::make_unique<Rectangle>(*window.findChild<AttributePlaneView*>());
}

} // namespace pollard::app
