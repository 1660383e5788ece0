#include "plot/chart_frame.hpp"

#include "theme/theme.hpp"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace pollard::app {

namespace {

constexpr double kSlack = 1e-9; ///< fraction of a step: tolerance for ticks at an end

QList<ChartTick> linearTicks(double low, double high, int most) {
    const double raw = (high - low) / std::max(most, 1);
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw) {
            step = factor * power;
            break;
        }
    }
    QList<ChartTick> ticks;
    const double first = std::ceil(low / step - kSlack);
    const double last = std::floor(high / step + kSlack);
    for (int i = 0; i <= last - first; ++i) { // first + 1 may be first
        ticks.append({(first + i) * step, shortNumber((first + i) * step)});
    }
    return ticks;
}

QList<ChartTick> logTicks(double low, double high, int most) {
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    const double decades = std::log10(high / low);
    if (decades < 0.5) {
        return linearTicks(low, high, most);
    }
    const bool fine = 3 * decades <= most;
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(most, 1))));
    QList<ChartTick> ticks;
    for (int decade = first; decade <= last; ++decade) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double value = factor * std::pow(10, decade);
            const bool wanted = fine || (factor == 1.0 && (decade - first) % stride == 0);
            if (wanted && value >= low * (1 - kSlack) && value <= high * (1 + kSlack)) {
                ticks.append({value, shortNumber(value)});
            }
        }
    }
    return ticks;
}

} // namespace

QList<ChartTick> ticksBetween(double low, double high, bool logarithmic, int most) {
    if (!(low < high) || !std::isfinite(low) || !std::isfinite(high) || (logarithmic && low <= 0)) {
        return {};
    }
    return logarithmic ? logTicks(low, high, most) : linearTicks(low, high, most);
}

QString shortNumber(double value) {
    struct Unit {
        double size;
        const char* name;
    };
    constexpr std::array kUnits{Unit{1e12, " T"}, Unit{1e9, " G"}, Unit{1e6, " M"}, Unit{1e3, " k"}};
    const QLocale locale;
    const double magnitude = std::abs(value);
    if (magnitude >= 1e15) {
        return locale.toString(value, 'g', 2);
    }
    for (const Unit& unit : kUnits) {
        if (magnitude >= unit.size) {
            return locale.toString(value / unit.size, 'g', 3) + QString::fromLatin1(unit.name);
        }
    }
    return magnitude < 1e-12 ? locale.toString(0) : locale.toString(value, 'g', 3);
}

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
