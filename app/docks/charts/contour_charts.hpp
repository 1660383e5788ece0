#pragma once

#include "plot/chart.hpp"

#include <QColor>
#include <QList>
#include <QString>
#include <QTimer>

class QAreaSeries;
class QCategoryAxis;
class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class ContourHistograms;
class ContourSeries;
class ContourViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Energy and area over the states of a contour, with a line at the current state. A click or a drag selects a state.
class ContourChart : public Chart {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourChart(vm::ContourViewModel& contours, QWidget* parent = nullptr);

    /// The unit of the areas, in the chart and in the numbers of the panel.
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
    void styleSeries(const QPalette& palette) override;

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
    void styleSeries(const QPalette& palette) override;

private:
    void showCurves();
    /// The pages with rows, ascending.
    [[nodiscard]] QList<int> pages() const;
    [[nodiscard]] int shownPage() const;
    [[nodiscard]] QString valueText() const;

    vm::ContourSeries& pages_;
    QCategoryAxis* places_;
    QCategoryAxis* values_;
    QList<QLineSeries*> curves_; ///< one per contour
    double first_ = 0;           ///< ends of the axis of places
    double last_ = 1;
};

/// Colours of the inside and the outside of a contour.
[[nodiscard]] QColor insideColour(const QPalette& palette);
[[nodiscard]] QColor outsideColour(const QPalette& palette);

/// Distributions of levels inside and outside a contour, with the fitted distributions as lines.
class RegionLevelsChart : public Chart {
    Q_OBJECT

public:
    /// @param histograms must outlive this
    explicit RegionLevelsChart(vm::ContourHistograms& histograms, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {240, 140}; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void keyPressEvent(QKeyEvent* event) override;
    void styleSeries(const QPalette& palette) override;

private:
    struct Curves {
        QAreaSeries* area = nullptr;
        QLineSeries* law = nullptr;
    };
    [[nodiscard]] Curves addCurves();
    void showLevels();

    vm::ContourHistograms& histograms_;
    QValueAxis* levels_;
    QValueAxis* shares_;
    Curves outside_;
    Curves inside_;
};

} // namespace pollard::app
