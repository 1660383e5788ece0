#pragma once

#include "docks/charts/chart_ticks.hpp"

#include <QList>
#include <QPalette>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace pollard::app {

/// One side of a chart: its marks, where along the side they are (0 .. 1), and what is told along it.
struct ChartSide {
    QList<ChartTick> ticks;
    std::function<double(double value)> placeOf;
    QString title;
};

/// Room that a mark of an axis along the bottom needs, px.
inline constexpr double kTickRoom = 44;

/// What is left for a chart in a widget when the sides have their numbers and titles.
[[nodiscard]] QRectF plotWithin(const QSizeF& widget);

/// The ground of a chart, its grid, numbers and titles.
void paintChartFrame(QPainter& painter, const QRectF& plot, const ChartSide& x, const ChartSide& y,
                     const QPalette& palette);

} // namespace pollard::app
