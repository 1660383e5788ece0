#pragma once

#include "plot/chart_ticks.hpp"

#include <QList>
#include <QPalette>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace pollard::app {

/// One side of a chart: its ticks, their positions along the side (0 .. 1), and its title.
struct ChartSide {
    QList<ChartTick> ticks;
    std::function<double(double value)> placeOf;
    QString title;
};

/// Space for a tick label of a horizontal axis, px.
inline constexpr double kTickRoom = 44;

/// Plot area of a chart inside a widget, without numbers and titles.
[[nodiscard]] QRectF plotWithin(const QSizeF& widget);

/// Background, grid, numbers and titles of a chart.
void paintChartFrame(QPainter& painter, const QRectF& plot, const ChartSide& x, const ChartSide& y,
                     const QPalette& palette);

} // namespace pollard::app
