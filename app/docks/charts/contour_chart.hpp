#pragma once

#include "plot/chart.hpp"

#include <QString>
#include <QTimer>

class QCategoryAxis;
class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Energy and area over the states of a contour, with a line at the current state. A click or a drag selects a state.
class ContourChart : public Chart {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourChart(vm::ContourViewModel& contours, QWidget* parent = nullptr);

    /// The unit of the areas, as the areas beside the chart have it.
    [[nodiscard]] const QString& areaUnit() const noexcept { return areaUnit_; }
    /// Position of a state, px of this widget from the left.
    [[nodiscard]] double pixelOf(int state) const;
    [[nodiscard]] QSize sizeHint() const override { return {240, 140}; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dressSeries(const QPalette& palette) override;

private:
    void showCurves();
    void scrubTo(double pixel);

    vm::ContourViewModel& contours_;
    QLineSeries* energy_;
    QLineSeries* area_;
    QValueAxis* states_;
    QCategoryAxis* energies_;
    QCategoryAxis* areas_;
    QString areaUnit_; ///< readable for the largest area
    QTimer later_;     ///< limits the rate of updates of the curves
    bool dragging_ = false;
};

} // namespace pollard::app
