#pragma once

#include "plot/interval_handles.hpp"

#include <QPolygonF>
#include <QString>
#include <QWidget>

#include <optional>

namespace pollard::vm {
class AttributeHistogramViewModel;
class FilterViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Histogram of the attribute edited by the filter, over the positions of the slider above it. Both bounds can be
/// dragged; dragging the interval between them moves both.
class AttributeHistogramView : public QWidget {
    Q_OBJECT

public:
    /// @param histogram,filter must outlive this @param margin px at both sides, as at the slider
    AttributeHistogramView(vm::AttributeHistogramViewModel& histogram, vm::FilterViewModel& filter, double margin,
                           QWidget* parent = nullptr);

    [[nodiscard]] const vm::AttributeHistogramViewModel& model() const noexcept { return histogram_; }
    /// Position of the slider, 0..1, as px of this widget from the left.
    [[nodiscard]] double pixelOf(double place) const;
    [[nodiscard]] QSize sizeHint() const override { return {200, 92}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {90, 60}; }

signals:
    /// Value and count under the pointer; empty outside the bars.
    void readoutChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] IntervalHandles::Line line() const;
    void showReadout();
    [[nodiscard]] QPolygonF barsOn(const QRectF& plot) const;
    void paintDecades(QPainter& painter, const QRectF& plot) const;

    vm::AttributeHistogramViewModel& histogram_;
    vm::FilterViewModel& filter_;
    double margin_;
    IntervalHandles bounds_;
    std::optional<double> pointer_; ///< px from the left, while it is over the chart
};

} // namespace pollard::app
