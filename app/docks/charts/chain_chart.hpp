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

/// Area of the components of a chain against their level: flat stretches are components that are stable over many
/// levels. A click or a drag selects the component nearest in level, the left and right keys the next one.
///
/// Painted without QtCharts: every movement of the pointer brings another chain, and QtCharts would lay out and paint
/// an extra frame each time.
class ChainChart : public QWidget {
    Q_OBJECT

public:
    /// @param chain must outlive this
    explicit ChainChart(vm::ChainViewModel& chain, QWidget* parent = nullptr);

    /// Position of a row in px of this widget; the origin while its area is unknown.
    [[nodiscard]] QPointF placeOf(int row) const;
    /// Points of the line; empty while areas are unknown.
    [[nodiscard]] const std::vector<vm::CurvePoint>& curve();
    [[nodiscard]] QSize sizeHint() const override { return {360, 170}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 96}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// Ranges of the axes.
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
