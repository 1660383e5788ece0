#pragma once

#include "vm/recipe/object_chart_model.hpp"

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <memory>
#include <optional>

namespace pollard {
struct ChartAxis;
struct ObjectChart;
} // namespace pollard

namespace pollard::vm {
class ObjectTableModel;
}

namespace pollard::app {

/// Paints the chart of objects: bars, points, or the density of the points. A click selects the object or bar under the
/// pointer, a drag all objects in a rectangle.
class ObjectChartView : public QWidget {
    Q_OBJECT

public:
    /// @param chart,table must outlive this
    ObjectChartView(vm::ObjectChartModel& chart, vm::ObjectTableModel& table, QWidget* parent = nullptr);

    /// The plot area of this widget.
    [[nodiscard]] QRectF plot() const;
    /// Pixel of a point of the chart (0..1 on both axes, y upwards).
    [[nodiscard]] QPointF pixelOf(QPointF place) const;

    [[nodiscard]] QSize sizeHint() const override { return {300, 200}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void onChart();
    void paintAxes(QPainter& painter, const ObjectChart& chart) const;
    void paintBars(QPainter& painter, const ObjectChart& chart) const;
    void paintPoints(QPainter& painter, const ObjectChart& chart) const;
    void paintCells(QPainter& painter, const ObjectChart& chart);
    [[nodiscard]] QPointF placeAt(QPointF pixel) const;
    [[nodiscard]] QRectF draggedPart() const;

    vm::ObjectChartModel& chart_;
    vm::ObjectTableModel& table_;
    QImage density_; ///< of the cells; null: out of date
    std::optional<QPointF> pressed_;
    QPointF pointer_;
};

/// The chart of the objects with the choice of its features; updated only while visible.
class ObjectsChartPanel : public QWidget {
    Q_OBJECT

public:
    /// @param table must outlive this
    explicit ObjectsChartPanel(vm::ObjectTableModel& table, QWidget* parent = nullptr);

    [[nodiscard]] vm::ObjectChartModel& model() noexcept { return chart_; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    vm::ObjectChartModel chart_;
};

} // namespace pollard::app
