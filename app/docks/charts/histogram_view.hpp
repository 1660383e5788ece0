#pragma once

#include <QChartView>

class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class DisplayViewModel;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Histogram of the grey levels with the window of the display: both edges can be dragged; dragging the interval
/// between them moves both.
class HistogramView : public QChartView {
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
    void changeEvent(QEvent* event) override;

private:
    enum class Drag { none, low, high, both };

    void showBins();
    void dress();
    [[nodiscard]] Drag partAt(double pixel) const;
    [[nodiscard]] double levelAt(double pixel) const;
    void moveBoth(double low);
    [[nodiscard]] QPolygonF toneCurve(const QRectF& plot) const;

    vm::HistogramViewModel& histogram_;
    vm::DisplayViewModel& display_;
    QLineSeries* outline_;
    QAreaSeries* area_;
    QValueAxis* levels_; ///< levels, hidden
    QValueAxis* values_; ///< the same range in values of the file
    QValueAxis* heights_;
    double start_ = 0; ///< levels at the ends of the chart
    double end_ = 255;
    Drag drag_ = Drag::none;
    double grip_ = 0; ///< levels between the pointer and the low edge while both edges move
};

} // namespace pollard::app
