#pragma once

#include <QList>
#include <QPalette>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace pollard::app {

/// A tick of an axis.
struct ChartTick {
    double value = 0;
    QString label;

    bool operator==(const ChartTick&) const = default;
};

/// At most about @p most round values between two ends: 1, 2 or 5 times a power of ten apart; on a logarithmic axis
/// powers of ten, or 1, 2 and 5 times each if these are few. Empty if the ends are not ascending or, on a logarithmic
/// axis, not positive.
[[nodiscard]] QList<ChartTick> ticksBetween(double low, double high, bool logarithmic, int most);

/// 1,200 -> "1.2 k", 3e6 -> "3 M", 0.25 -> "0.25".
[[nodiscard]] QString shortNumber(double value);

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
