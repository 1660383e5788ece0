#pragma once

#include "plot/chart.hpp"
#include "plot/interval_handles.hpp"

class QAreaSeries;
class QValueAxis;

namespace pollard::vm {
class DisplayViewModel;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Histogram of the grey levels with the window of the display: both edges can be dragged; dragging the interval
/// between them moves both.
class HistogramView : public Chart {
    Q_OBJECT

public:
    /// @param histogram,display must outlive this
    HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    /// Position of a grey level, px of this widget from the left.
    [[nodiscard]] double pixelOf(double level) const;
    [[nodiscard]] QSize sizeHint() const override { return {260, 168}; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dressSeries(const QPalette& palette) override;

private:
    void showBins();
    [[nodiscard]] IntervalHandles::Line line() const;
    [[nodiscard]] QPolygonF toneCurve(const QRectF& plot) const;

    vm::HistogramViewModel& histogram_;
    vm::DisplayViewModel& display_;
    QAreaSeries* area_;
    QValueAxis* levels_; ///< levels, hidden
    QValueAxis* values_; ///< the same range in values of the file
    QValueAxis* heights_;
    double start_ = 0; ///< levels at the ends of the chart
    double end_ = 255;
    IntervalHandles edges_;
};

} // namespace pollard::app
