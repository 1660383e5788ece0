#pragma once

#include "vm/base/thinned_curve.hpp"

#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <vector>

class QPainter;

namespace pollard::vm {
class ChainViewModel;
}

namespace pollard::app {

/// Area of the components of a chain against their level: flat stretches are components that stay the same over many
/// levels. A click, a drag or the left and right keys make the component nearest in level, or the next one, the current
/// one.
///
/// Painted, not made of QtCharts: another chain comes with every movement of the pointer, and a chart would be laid out
/// and painted in a frame of its own each time.
class ChainChart : public QWidget {
    Q_OBJECT

public:
    /// @param chain must outlive this
    explicit ChainChart(vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Place of a row in px of this widget; the origin while its area is not known.
    [[nodiscard]] QPointF placeOf(int row) const;
    /// What the line runs through; empty while areas are not known.
    [[nodiscard]] const std::vector<vm::CurvePoint>& curve();
    [[nodiscard]] QSize sizeHint() const override { return {360, 170}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// What the axes show.
    struct Range {
        double lowest = 0;  ///< level
        double highest = 1; ///< level
        double decades = 1; ///< of the area, from 1 px on
    };
    void showChain();
    void showCurrent();
    void chooseAt(double pixel);
    [[nodiscard]] bool isKnown() const;
    [[nodiscard]] Range range() const;
    [[nodiscard]] QPointF placeOf(int row, const Range& range) const;
    [[nodiscard]] QRect markAt(QPointF place) const;
    void paintFrame(QPainter& painter) const;

    vm::ChainViewModel& chain_;
    std::vector<vm::CurvePoint> curve_;
    bool isCurveOld_ = true;
    QRect mark_; ///< where the current component is painted
};

} // namespace pollard::app
