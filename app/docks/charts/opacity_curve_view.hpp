#pragma once

#include "docks/charts/histogram_view.hpp"
#include "vm/image/rendering_look.hpp"

#include <QPointF>

#include <cstddef>
#include <optional>

namespace pollard::vm {
class RenderingViewModel;
}

namespace pollard::app {

/// The curve of opacity of a rendering over the histogram of the volume. Points can be dragged, added by a click and
/// removed by a double click; keys do the same with the current point.
class OpacityCurveView : public HistogramChart {
    Q_OBJECT

public:
    /// All must outlive this.
    OpacityCurveView(vm::RenderingViewModel& rendering, vm::HistogramViewModel& histogram,
                     vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {220, 120}; }
    /// The current point, which keys move.
    [[nodiscard]] std::optional<std::size_t> current() const noexcept { return current_; }
    /// Place of a point in this widget.
    [[nodiscard]] QPointF placeOf(const vm::OpacityPoint& point) const;
    /// Value with its unit, and opacity: "300 HU · 50 %". It is shown of the point under the pointer, else of the
    /// current one.
    [[nodiscard]] QString textOf(const vm::OpacityPoint& point) const;

protected:
    [[nodiscard]] bool hasWindow() const override { return false; }
    [[nodiscard]] vm::LevelWindow window() const override { return ends(); }
    void setWindow(const vm::LevelWindow&) override {}
    void autoWindow() override {}
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showCurve();
    void setHovered(std::optional<std::size_t> index);
    [[nodiscard]] vm::OpacityPoint pointAt(const QPointF& place) const;
    [[nodiscard]] std::optional<std::size_t> indexAt(const QPointF& place) const;
    void add(const vm::OpacityPoint& point);
    void remove(std::size_t index);
    /// Moves the current point. @param across fraction of the values shown @param up of the opacity
    void move(double across, double up);

    vm::RenderingViewModel& rendering_;
    std::optional<std::size_t> current_;
    std::optional<std::size_t> hovered_; ///< the point under the pointer
    bool isDragging_ = false;
};

} // namespace pollard::app
