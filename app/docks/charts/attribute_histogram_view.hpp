#pragma once

#include <QPolygonF>
#include <QString>
#include <QWidget>

#include <optional>

namespace pollard::vm {
class AttributeHistogramViewModel;
class FilterViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// How many components have which value of the attribute that the filter edits, over the same places as the slider
/// above it. The two bounds can be dragged here as well, and what lies between them moves both.
class AttributeHistogramView : public QWidget {
    Q_OBJECT

public:
    /// @param histogram,filter must outlive this @param margin px at both sides that the slider leaves free
    AttributeHistogramView(vm::AttributeHistogramViewModel& histogram, vm::FilterViewModel& filter, double margin,
                           QWidget* parent = nullptr);

    [[nodiscard]] const vm::AttributeHistogramViewModel& model() const noexcept { return histogram_; }
    /// Where a place of the slider, 0..1, is in px of this widget from the left.
    [[nodiscard]] double pixelOf(double place) const;
    [[nodiscard]] QSize sizeHint() const override { return {200, 92}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {90, 60}; }

signals:
    /// What is under the pointer; empty where nothing is.
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
    enum class Drag { none, low, high, both };

    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double placeAt(double pixel) const;
    [[nodiscard]] Drag partAt(double pixel) const;
    void moveBoth(double low);
    void showReadout();
    [[nodiscard]] QPolygonF barsOn(const QRectF& plot) const;
    void paintDecades(QPainter& painter, const QRectF& plot) const;
    void paintBounds(QPainter& painter, const QRectF& plot) const;

    vm::AttributeHistogramViewModel& histogram_;
    vm::FilterViewModel& filter_;
    double margin_;
    Drag drag_ = Drag::none;
    double grip_ = 0;               ///< places between the pointer and the low bound while both move
    double width_ = 0;              ///< of the interval while both move, in places
    std::optional<double> pointer_; ///< px from the left, while it is over the chart
};

} // namespace pollard::app
