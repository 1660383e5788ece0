#include "plot/chart_frame.hpp"

#include "theme/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pollard::app {
namespace {

constexpr double kLeft = 52; ///< px for the numbers beside the plot
constexpr double kBottom = 38;
constexpr double kTop = 6;
constexpr double kRight = 12;

} // namespace

QRectF plotWithin(const QSizeF& widget) {
    return {kLeft, kTop, std::max(1.0, widget.width() - kLeft - kRight),
            std::max(1.0, widget.height() - kTop - kBottom)};
}

void paintChartFrame(QPainter& painter, const QRectF& plot, const ChartSide& x, const ChartSide& y,
                     const QPalette& palette) {
    const QFontMetricsF metrics(painter.font());
    const QColor line = hairline(palette);
    const QColor ink = secondaryText(palette);
    painter.fillRect(plot, palette.color(QPalette::Base));
    for (const ChartTick& tick : x.ticks) {
        const double place = std::round(plot.left() + x.placeOf(tick.value) * plot.width()) + 0.5;
        painter.setPen(line);
        painter.drawLine(QPointF(place, plot.top()), QPointF(place, plot.bottom()));
        painter.setPen(ink);
        painter.drawText(QRectF(place - kTickRoom / 2, plot.bottom() + 2, kTickRoom, metrics.height()), Qt::AlignCenter,
                         tick.label);
    }
    for (const ChartTick& tick : y.ticks) {
        const double place = std::round(plot.bottom() - y.placeOf(tick.value) * plot.height()) + 0.5;
        painter.setPen(line);
        painter.drawLine(QPointF(plot.left(), place), QPointF(plot.right(), place));
        painter.setPen(ink);
        painter.drawText(QRectF(14, place - metrics.height() / 2, kLeft - 18, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(
        QRectF(plot.left(), plot.bottom() + kBottom - metrics.height() - 1, plot.width(), metrics.height()),
        Qt::AlignCenter, x.title);
    painter.save();
    painter.translate(metrics.height() / 2 + 1, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2, -metrics.height() / 2, plot.height(), metrics.height()),
                     Qt::AlignCenter, y.title);
    painter.restore();
}

} // namespace pollard::app
