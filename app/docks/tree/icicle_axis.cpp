#include "docks/tree/icicle_axis.hpp"

#include "plot/chart_ticks.hpp"
#include "theme/theme.hpp"
#include "vm/base/value_text.hpp"
#include "vm/tree/icicle_view_model.hpp"

#include <QLocale>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace pollard::app {

namespace {

constexpr int kAxisGap = 6; ///< px between plot, numbers and title
constexpr int kTickLength = 4;
constexpr int kHighestLevel = 65535;
constexpr double kAxisTickSpace = 30; ///< px for a tick label

} // namespace

int levelAxisWidth(const QWidget& widget) {
    const QFontMetrics metrics = widget.fontMetrics();
    return metrics.height() + metrics.horizontalAdvance(widget.locale().toString(kHighestLevel)) + 2 * kAxisGap;
}

void paintLevelAxis(QPainter& painter, const QWidget& widget, const QRectF& plot, const vm::IcicleViewModel& icicle,
                    double top, double bottom) {
    const auto [low, high] = std::minmax({icicle.shownAt(std::max(top, 0.0)), icicle.shownAt(bottom)});
    const int most = std::max(2, static_cast<int>(plot.height() / kAxisTickSpace));
    const double textHeight = widget.fontMetrics().height();
    for (const ChartTick& tick : ticksBetween(low, high, false, most)) {
        if (icicle.areHeightsWhole() && tick.value != std::floor(tick.value)) {
            continue; // only integers have a tick
        }
        const double y = plot.top() + (icicle.heightOfShown(tick.value) - top) / (bottom - top) * plot.height();
        painter.setPen(hairline(widget.palette()));
        painter.drawLine(QPointF(plot.left() - kTickLength, y), QPointF(plot.left() - 1, y));
        painter.setPen(secondaryText(widget.palette()));
        painter.drawText(QRectF(0, y - textHeight / 2, plot.left() - kAxisGap, textHeight),
                         Qt::AlignRight | Qt::AlignVCenter, vm::greyNumber(tick.value, 5));
    }
    painter.save();
    painter.setPen(secondaryText(widget.palette()));
    painter.translate(0, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2, 0, plot.height(), textHeight), Qt::AlignHCenter | Qt::AlignTop,
                     icicle.heightTitle());
    painter.restore();
}

} // namespace pollard::app
