#pragma once

#include "plot/chart.hpp"

#include <QList>

class QCategoryAxis;
class QLineSeries;

namespace pollard::vm {
class ContourSeries;
}

namespace pollard::app {

/// A measurement of followed contours over the pages or times, a curve per contour, with a line at the shown page. A
/// click turns to a page, as do the arrow keys, Home and End.
class ContourSeriesChart : public Chart {
    Q_OBJECT

public:
    static constexpr std::size_t kMostCurves = 50;

    /// @param pages must outlive this
    explicit ContourSeriesChart(vm::ContourSeries& pages, QWidget* parent = nullptr);

    [[nodiscard]] vm::ContourSeries& model() const noexcept { return pages_; }
    /// Position of a page, px of this widget from the left.
    [[nodiscard]] double pixelOf(int page) const;
    [[nodiscard]] QSize sizeHint() const override { return {240, 140}; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void dressSeries(const QPalette& palette) override;

private:
    void showCurves();
    /// The pages with rows, ascending.
    [[nodiscard]] QList<int> pages() const;
    [[nodiscard]] int shownPage() const;
    [[nodiscard]] QString valueText() const;

    vm::ContourSeries& pages_;
    QCategoryAxis* places_;
    QCategoryAxis* values_;
    QList<QLineSeries*> curves_; ///< by contour
    double first_ = 0;           ///< ends of the axis of places
    double last_ = 1;
};

} // namespace pollard::app
