#pragma once

#include "docks/charts/level_chart.hpp"

class QAreaSeries;

namespace pollard::vm {
class DisplayViewModel;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The histogram of the image over the grey levels of the display.
class HistogramChart : public LevelChart {
    Q_OBJECT

protected:
    /// @param strength opacity of the bars @param histogram,display must outlive this
    HistogramChart(const char* name, QSize least, float strength, vm::HistogramViewModel& histogram,
                   vm::DisplayViewModel& display, QWidget* parent);

    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] vm::DisplayViewModel& display() const noexcept { return display_; }
    [[nodiscard]] int maxLevel() const override;
    void dressSeries(const QPalette& palette) override;

private:
    void showBins();

    vm::HistogramViewModel& histogram_;
    vm::DisplayViewModel& display_;
    QAreaSeries* area_;
    float strength_;
};

/// Histogram of the grey levels with window and tone curve of the display.
class HistogramView : public HistogramChart {
    Q_OBJECT

public:
    /// @param histogram,display must outlive this
    HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {260, 168}; }

protected:
    [[nodiscard]] bool hasWindow() const override;
    [[nodiscard]] vm::LevelWindow window() const override;
    void setWindow(const vm::LevelWindow& window) override;
    void autoWindow() override;
    void drawCurve(QPainter& painter) override;

private:
    [[nodiscard]] QPolygonF toneCurve(const QRectF& plot) const;
};

} // namespace pollard::app
