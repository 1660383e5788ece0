#pragma once

#include "docks/charts/level_chart.hpp"

class QAreaSeries;

namespace pollard::vm {
class DisplayViewModel;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Histogram of the grey levels with window and tone curve of the display.
class HistogramView : public LevelChart {
    Q_OBJECT

public:
    /// @param histogram,display must outlive this
    HistogramView(vm::HistogramViewModel& histogram, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {260, 168}; }

protected:
    [[nodiscard]] bool hasWindow() const override;
    [[nodiscard]] vm::LevelWindow window() const override;
    [[nodiscard]] int maxLevel() const override;
    void setWindow(const vm::LevelWindow& window) override;
    void autoWindow() override;
    void drawCurve(QPainter& painter) override;
    void dressSeries(const QPalette& palette) override;

private:
    void showBins();
    [[nodiscard]] QPolygonF toneCurve(const QRectF& plot) const;

    vm::HistogramViewModel& histogram_;
    vm::DisplayViewModel& display_;
    QAreaSeries* area_;
};

} // namespace pollard::app
