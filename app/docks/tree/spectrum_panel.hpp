#pragma once

#include "plot/chart.hpp"

#include <QWidget>

#include <optional>
#include <utility>

class QAreaSeries;
class QCategoryAxis;
class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class FilterViewModel;
class SpectrumViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;

/// The pattern spectrum as bars with the granulometry curve. A click on a bar, or a drag over several, makes them the
/// criterion; bars that the criterion removes are dimmed.
class SpectrumChart : public Chart {
    Q_OBJECT

public:
    /// @param spectrum,filter must outlive this
    SpectrumChart(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent = nullptr);

    /// The bar under the pointer or selected by keys; -1 for none.
    [[nodiscard]] int currentBin() const noexcept { return current_; }
    /// Bottom centre of a bar in px of this widget.
    [[nodiscard]] QPointF footOf(int bin) const;
    [[nodiscard]] QSize sizeHint() const override { return {520, 170}; }

signals:
    void currentBinChanged();

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void styleSeries(const QPalette& palette) override;

private:
    void showSpectrum();
    void showTicks();
    void setCurrent(int bin);
    [[nodiscard]] bool isLog() const;
    /// Position of a value on the axis below the bars.
    [[nodiscard]] double placeOf(double value) const;
    [[nodiscard]] double pixelOf(double value) const;
    [[nodiscard]] int binAt(double pixel) const; ///< -1 outside the bars
    [[nodiscard]] QString emptyText() const;
    /// Bars being selected, ascending.
    [[nodiscard]] std::optional<std::pair<int, int>> picked() const;

    vm::SpectrumViewModel& spectrum_;
    vm::FilterViewModel& filter_;
    QAreaSeries* bars_;
    QLineSeries* curve_;
    QValueAxis* places_;    ///< positions of the bars, hidden
    QCategoryAxis* values_; ///< the same range with labels
    QValueAxis* shares_;
    QValueAxis* sums_;
    int current_ = -1;
    int anchor_ = -1; ///< first bar of a drag or of a selection by keys; -1: none
    bool dragging_ = false;
};

/// The spectrum dock: attribute, number of bins, the chart, and a line about the current bar.
class SpectrumPanel : public QWidget {
    Q_OBJECT

public:
    /// @param spectrum,filter must outlive this
    SpectrumPanel(vm::SpectrumViewModel& spectrum, vm::FilterViewModel& filter, QWidget* parent = nullptr);

private:
    void showReadout();

    vm::SpectrumViewModel& spectrum_;
    SpectrumChart* chart_ = nullptr;
    ElidedLabel* readout_ = nullptr;
};

} // namespace pollard::app
