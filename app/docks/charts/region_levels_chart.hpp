#pragma once

#include "plot/chart.hpp"

#include <QColor>

class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace pollard::vm {
class ContourHistograms;
class ContourViewModel;
} // namespace pollard::vm

namespace pollard::app {

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
    void dressSeries(const QPalette& palette) override;

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
